import { accessSync, constants, statSync } from 'node:fs'

/** Whether this process may read a file of that name. */
export function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
