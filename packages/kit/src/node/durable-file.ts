import { closeSync, fsyncSync, openSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from './folders.ts'

const isWindows = process.platform === 'win32'

/**
 * Replaces a file so that a power cut at any instant leaves the old or the new content, never a mixture: the new content is
 * complete in a file of its own before it takes the name. `durable: false` skips the waits for the disk (the order still
 * holds for a process that is killed; only a machine that loses power may lose the newest content).
 */
export function replaceFile(path: string, content: string, durable: boolean): void {
  makeFolder(dirname(path))
  const temporary = `${path}.new`
  // 0600: what is kept this way holds keys, passwords and credentials.
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, content)
    if (durable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  if (durable) syncFolder(dirname(path))
}

/** Puts a file on the disk. */
export function syncPath(path: string): void {
  // Windows asks for the right to write.
  const file = openSync(path, isWindows ? 'r+' : 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A new name in a folder is only there for good once the folder itself is on the disk. Windows does that by itself. */
export function syncFolder(path: string): void {
  if (!isWindows) syncPath(path)
}

/** Puts a folder on the disk, with everything in it. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncFolder(folder)
}
