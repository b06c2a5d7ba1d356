import { closeSync, fsyncSync, openSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from './folders.ts'

const isWindows = process.platform === 'win32'

/**
 * Replaces a file so that a power cut at any instant leaves the old or the new content, never a mixture: it writes a
 * temporary file completely before it renames it. `durable: false` skips the fsyncs. It is still atomic when the process is
 * killed; only a power cut may lose the newest content.
 */
export function replaceFile(path: string, content: string | Uint8Array, durable: boolean): void {
  makeFolder(dirname(path))
  const temporary = `${path}.new`
  // 0600: these files contain keys, passwords and credentials.
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

/** Renames a file that is completely written: after that, a power cut loses neither its content nor its new name. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await synced(from)
  await rename(from, to)
  if (!isWindows) await synced(dirname(to))
}

async function synced(path: string): Promise<void> {
  // On Windows fsync needs a handle with write access.
  const file = await open(path, isWindows ? 'r+' : 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Syncs a file to the disk. */
export function syncPath(path: string): void {
  // On Windows fsync needs a handle with write access.
  const file = openSync(path, isWindows ? 'r+' : 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Syncs a folder: a new name in it is durable only after that. Windows does it by itself. */
export function syncFolder(path: string): void {
  if (!isWindows) syncPath(path)
}

/** Syncs a folder and everything in it to the disk. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncFolder(folder)
}
