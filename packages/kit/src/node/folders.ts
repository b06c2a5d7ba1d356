import { existsSync, mkdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder that only its owner may enter, and its missing parents. One level at a time: Node's `recursive` loops
 * forever when a folder cannot be created although its parent exists (`/proc/x`: ENOENT, which it takes for a missing
 * parent). @throws the system's error when it cannot be created, or a file is in the way.
 */
export function makeFolder(path: string): void {
  const whole = resolve(path)
  const above = dirname(whole)
  if (above !== whole && !existsSync(above)) makeFolder(above)
  try {
    mkdirSync(whole, { mode: 0o700 })
  } catch (error) {
    // It was there, or another process has created it.
    if (!isFolder(whole)) throw error
  }
}

/** Returns where a symbolic link leads, also if nothing is there; null where there is no link. */
export function linkTarget(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return null
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
