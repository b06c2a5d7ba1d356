import { messageOf } from '@batti/kit/message-of'
import { existsSync } from 'node:fs'
import type { Settings } from '../../config.ts'
import { faultOfHalfRestore } from '../half-restored.ts'
import { faultOfMove } from '../moved.ts'
import type { Installation } from '../installation.ts'
import { certificateFaults } from './certificate-faults.ts'
import { databaseFaults } from './database-faults.ts'
import { faultLine, type Fault } from './fault.ts'
import { folderFaults } from './folder-faults.ts'
import { readKeys, type Keys } from './key-faults.ts'
import { settingFaults } from './setting-faults.ts'

/** Finds the faults of an installation that are visible from outside. It may run meanwhile. */
export async function examine(installation: Installation, settings: Settings, now: number): Promise<Fault[]> {
  const { data, mongodbUri } = installation
  const halfRestored = faultOfHalfRestore(data)
  if (halfRestored !== null) return [halfRestored]
  const hasFolder = existsSync(data)
  if (!hasFolder && mongodbUri === null)
    return [
      {
        what: 'There is no installation',
        where: data,
        do: 'Name its data folder with --data, or its database with MONGODB_URI.'
      }
    ]
  let keys: Keys = { current: null, previous: undefined }
  const checks: (() => Fault | Fault[] | Promise<Fault[]>)[] = [
    () => settingFaults(settings),
    () => (hasFolder ? folderFaults(data) : []),
    () => {
      const read = readKeys(installation)
      keys = read.keys
      return read.faults
    },
    () => certificateFaults(data, settings.ownCertificate, now),
    () => databaseFaults(installation, keys),
    () => (mongodbUri === null ? (faultOfMove(data) ?? []) : [])
  ]
  const found: Fault[] = []
  // A check that fails is a fault itself, and must not hide the findings of the others.
  for (const check of checks) {
    try {
      found.push(...[await check()].flat())
    } catch (error) {
      found.push(couldNotLook(error, data))
    }
  }
  // Several checks may find the same.
  return [...new Map(found.map((fault) => [faultLine(fault), fault])).values()]
}

/** Describes an error of a check as a fault. */
export const couldNotLook = (error: unknown, where: string): Fault => ({
  what: `This could not be looked at: ${messageOf(error)}`,
  where,
  do: 'Give doctor the data folder of an installation (--data), run it as the owner of that folder, and put back what is damaged in it from a backup: npm run batti -- restore.'
})
