import { join } from 'node:path'
import { readIfThere, readJsonObject } from '../../data/private-file.ts'
import { hasEmbeddedDatabase, type Installation } from '../installation.ts'
import type { Fault } from './fault.ts'

export interface Keys {
  current: string | null
  previous: string | undefined
}

const isKey = (text: string): boolean => Buffer.from(text, 'base64').length === 32

/** Reads the keys of an installation, and finds faults that are visible without decrypting anything. */
export function readKeys(installation: Installation): { keys: Keys; faults: Fault[] } {
  const { data, env } = installation
  const where = join(data, 'secrets.json')
  const stored = readJsonObject(where)
  const kept = stored?.['DATA_KEY']
  const previous = env['DATA_KEY_PREVIOUS']
  const faults: Fault[] = []
  const current = env['DATA_KEY'] ?? (typeof kept === 'string' ? kept : null)
  if (stored === null && readIfThere(where) !== null)
    faults.push({ what: 'The file of the keys is damaged', where, do: 'Put it back from a backup.' })
  else if (current === null && (hasEmbeddedDatabase(installation) || installation.mongodbUri !== null))
    faults.push({
      what: 'There is no DATA_KEY, so that nothing that is sealed in the database can be opened',
      where,
      do: 'Put secrets.json back from a backup, or run doctor with the settings of the installation.'
    })
  const earlier = (previous ?? '').split(',').map((key) => ['DATA_KEY_PREVIOUS', key.trim()] as const)
  for (const [name, key] of [['DATA_KEY', current ?? ''] as const, ...earlier])
    if (key !== '' && !isKey(key))
      faults.push({ what: `${name} is no key`, where: name, do: 'A key is 32 bytes in base64.' })
  return { keys: faults.length > 0 ? { current: null, previous } : { current, previous }, faults }
}
