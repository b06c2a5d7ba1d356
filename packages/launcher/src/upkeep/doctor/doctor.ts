import { existsSync } from 'node:fs'
import type { Settings } from '../../config.ts'
import { notesOfMove } from '../moved.ts'
import type { Installation } from '../installation.ts'
import { certificateFaults } from './certificate-faults.ts'
import { databaseFaults } from './database-faults.ts'
import type { Fault } from './fault.ts'
import { folderFaults } from './folder-faults.ts'
import { readKeys } from './key-faults.ts'

/** Everything that is wrong with an installation and can be seen from outside; it may run meanwhile. */
export async function examine(
  installation: Installation,
  { ownCertificate }: Pick<Settings, 'ownCertificate'>,
  now: number
): Promise<Fault[]> {
  const { data, mongodbUri } = installation
  const hasFolder = existsSync(data)
  if (!hasFolder && mongodbUri === null)
    return [
      {
        what: 'There is no installation',
        where: data,
        do: 'Name its data folder with --data, or its database with MONGODB_URI.'
      }
    ]
  const { keys, faults } = readKeys(installation)
  return [
    ...(hasFolder ? await folderFaults(data) : []),
    ...faults,
    ...certificateFaults(data, ownCertificate, now),
    ...(await databaseFaults(installation, keys)),
    ...(mongodbUri === null ? notesOfMove(data) : []).map((note) => ({
      what: note.split(': ')[0] ?? note,
      where: data,
      do: note.split(': ').slice(1).join(': ')
    }))
  ]
}
