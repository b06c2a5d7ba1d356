import { accessSync, constants, statSync } from 'node:fs'

/** Tells whether the path is a file that this process may read. */
export function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
