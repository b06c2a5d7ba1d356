import { makeFolder } from '@batti/kit/node/folders'
import { LaunchError } from './launch-error.ts'
import type { RunRecord } from './run-record.ts'

/** Makes the folder where it is not there yet, and takes it. @throws LaunchError when it cannot be made, written or taken. */
export function takeDataFolder(path: string, record: RunRecord): void {
  try {
    makeFolder(path)
    record.clear()
    record.take()
  } catch (error) {
    if (error instanceof LaunchError) throw error
    const code = codeOf(error)
    if (isFull(code)) throw fullDisk(path)
    const why =
      code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in the way' : `it cannot be written to (${String(code)})`
    throw new LaunchError(`${path} cannot be the data folder, ${why}: choose another one with --data.`)
  }
}

/** What ends a start: a full disk as a sentence, whatever was being written; anything else as it is. */
export const explainFullDisk = (error: unknown, path: string): unknown =>
  isFull(codeOf(error)) ? fullDisk(path) : error

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error)

const isFull = (code: unknown): boolean => code === 'ENOSPC' || code === 'EDQUOT'

const fullDisk = (path: string): LaunchError =>
  new LaunchError(`The disk is full: nothing more can be kept in ${path}. Make room, and start again.`)
