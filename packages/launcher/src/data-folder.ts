import { makeFolder } from '@batti/kit/node/folders'
import { LaunchError } from './launch-error.ts'
import type { RunRecord } from './run-record.ts'

/** Makes the folder where it is not there yet, and takes it. @throws LaunchError when it cannot be made, written or taken. */
export function takeDataFolder(path: string, record: RunRecord): void {
  try {
    makeFolder(path)
    record.take()
  } catch (error) {
    if (error instanceof LaunchError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : error
    const why =
      code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in the way' : `it cannot be written to (${String(code)})`
    throw new LaunchError(`${path} cannot be the data folder, ${why}: choose another one with --data.`)
  }
}
