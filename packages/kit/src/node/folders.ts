import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder that only its owner may enter, and those above it, where they are not there yet. One level at a time:
 * Node's `recursive` tries for ever where a folder cannot be made although the one above is there (`/proc/x`: ENOENT, which
 * it takes for a missing parent). @throws the system's error when it cannot be made, or a file is in the way.
 */
export function makeFolder(path: string): void {
  const whole = resolve(path)
  if (isFolder(whole)) return
  const above = dirname(whole)
  if (above !== whole && !existsSync(above)) makeFolder(above)
  try {
    mkdirSync(whole, { mode: 0o700 })
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(whole)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
