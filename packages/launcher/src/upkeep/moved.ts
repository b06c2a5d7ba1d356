import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readJsonObject, writePrivateFile } from '../private-file.ts'

const movedFile = (data: string): string => join(data, 'moved.json')

/** Notes that the data went elsewhere, so that nobody goes on with the old ones by mistake. */
export const noteMove = (data: string, to: string, movedAt: string): void =>
  writePrivateFile(movedFile(data), `${JSON.stringify({ to, movedAt })}\n`)

export const forgetMove = (data: string): void => rmSync(movedFile(data), { force: true })

/** A sentence for who starts on the embedded database of a folder whose data were moved; else nothing. */
export function notesOfMove(data: string): string[] {
  const { to, movedAt } = readJsonObject(movedFile(data)) ?? {}
  if (typeof to !== 'string') return []
  return [
    `The data were moved to ${to} on ${String(movedAt).slice(0, 10)}: this is the database from before. Set MONGODB_URI, or remove ${movedFile(data)} to stay here.`
  ]
}
