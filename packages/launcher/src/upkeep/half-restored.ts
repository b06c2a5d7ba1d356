import { linkTarget } from '@batti/kit/node/folders'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { faultLine, type Fault } from './doctor/fault.ts'
import { folderBehind } from './installation.ts'

/** Returns the folder that `restore` unpacks an archive into, before it renames that to the data folder. */
export const restoringName = (data: string): string => `${data}.restoring`

/** Returns the new name of the folder that `restore` replaces. */
export const keptName = (data: string, stamp: string): string => `${data}.before-restore-${stamp}`

/** Explains that a restore was interrupted after it had set the old data folder aside; null when none was. */
export function faultOfHalfRestore(data: string): Fault | null {
  const staging = restoringName(data)
  if (!existsSync(staging)) return null
  if (existsSync(data) && readdirSync(data).length > 0) return null
  const kept = newestKept(data)
  const back = kept === null ? `remove ${staging} to begin with nothing` : `remove ${staging} and rename ${kept} back`
  return { what: 'A restore was interrupted', where: data, do: `Run it again, or ${back}.` }
}

/** @throws LaunchError when a start would begin an empty home beside the one that a restore has set aside. */
export function refuseHalfRestored(data: string): void {
  const fault = faultOfHalfRestore(folderBehind(data))
  if (fault !== null) throw new LaunchError(faultLine(fault))
}

/**
 * Removes what a restore that was killed while it unpacked has left: it contains keys. Call it once the folder is taken, so that
 * no restore runs.
 */
export function removeHalfUnpacked(data: string): void {
  try {
    rmSync(restoringName(folderBehind(data)), { recursive: true, force: true })
  } catch {
    // Only root may remove what root has unpacked. Nobody else can read it.
  }
}

/** @throws LaunchError when `data` is a link to a missing folder: without its disk, the files would be written to another one. */
export function refuseUnmounted(data: string): void {
  const target = linkTarget(data)
  if (target === null || existsSync(target) || faultOfHalfRestore(target) !== null) return
  throw new LaunchError(
    `${data} is a link to ${target}, which is missing: is its disk mounted? If that disk is new, make the folder first.`
  )
}

/** Returns the newest folder that a restore has set aside; null when there is none. */
export function newestKept(data: string): string | null {
  const start = basename(keptName(data, ''))
  const names = readdirSync(dirname(data)).filter((name) => name.startsWith(start))
  const newest = names.toSorted().at(-1)
  return newest === undefined ? null : join(dirname(data), newest)
}
