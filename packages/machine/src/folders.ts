import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder that only its owner may enter, and those above it, where they are not there yet. One level at a time:
 * Node's `recursive` tries for ever where a folder cannot be made although the one above is there (`/proc/x`: ENOENT, which
 * it takes for a missing parent). @throws the system's error when it cannot be made, or a file is in the way.
 */
export function makeFolder(path: string): void {
  const whole = resolve(path)
  const above = dirname(whole)
  if (!existsSync(above)) makeFolder(above)
  if (existsSync(whole)) return
  try {
    mkdirSync(whole, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (!existsSync(whole)) throw error
  }
}
