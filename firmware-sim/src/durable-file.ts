import { makeFolder } from '@batti/kit/node/folders'
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Replaces a file so that a power cut at any instant leaves the old or the new content, never a mixture: the new content is
 * complete in a file of its own before it takes the name. `durable: false` skips the waits for the disk (the order still
 * holds for a process that is killed; only a machine that loses power may lose the newest content).
 */
export function replaceFile(path: string, content: string, durable: boolean): void {
  makeFolder(dirname(path))
  const temporary = `${path}.new`
  // 0600: the content holds a Wi-Fi password and a board's credential.
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeSync(file, content)
    if (durable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  if (durable) syncFolder(dirname(path))
}

/** A new name in a folder is only there for good once the folder itself is on the disk. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
