import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { readJsonObject, writePrivateFile } from '../data/private-file.ts'
import { faultLine, type Fault } from './doctor/fault.ts'

/** Returns the folder that `move back` copies into, before it renames that to the folder of the database. */
export const movingName = (folder: string): string => `${folder}.moving`

/**
 * Removes the copy of all data that a move back has left when it was killed. Without the folder of the database it was killed
 * between its renames, and the copy stays.
 */
export function removeHalfMoved(folder: string): void {
  if (existsSync(folder)) rmSync(movingName(folder), { recursive: true, force: true })
}

const movedFile = (data: string): string => join(data, 'moved.json')

/** Records that the data was moved, so that nobody continues with the old copy by mistake. */
export const noteMove = (data: string, to: string, movedAt: string): void =>
  writePrivateFile(movedFile(data), `${JSON.stringify({ to, movedAt })}\n`)

export const forgetMove = (data: string): void => rmSync(movedFile(data), { force: true })

/** Explains where the data of a folder was moved to, and what to do; null when it was not moved. */
export function faultOfMove(data: string): Fault | null {
  const { to, movedAt } = readJsonObject(movedFile(data)) ?? {}
  if (typeof to !== 'string') return null
  return {
    what: `The data were moved to ${to} on ${String(movedAt).slice(0, 10)}, and the database here is the one from before`,
    where: data,
    do: `Set MONGODB_URI to go on there, or remove ${movedFile(data)} to go on here.`
  }
}

/** @throws LaunchError when the old database would be moved again, without the data written since. */
export function refuseSecondMove(data: string): void {
  const fault = faultOfMove(data)
  if (fault === null) return
  const way = `Set MONGODB_URI to it, move back, then move again; or remove ${movedFile(data)} to move this one as it was.`
  throw new LaunchError(faultLine({ ...fault, do: way }))
}

/** @throws LaunchError when a start would continue with the old database without an explicit decision. */
export function refuseMoved(data: string, mongodbUri: string | null): void {
  const fault = mongodbUri === null ? faultOfMove(data) : null
  if (fault !== null) throw new LaunchError(faultLine(fault))
}
