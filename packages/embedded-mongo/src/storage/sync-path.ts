import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Puts a file on the disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** Puts the names in a folder on the disk, so that a file that was made or renamed is there after a power cut. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
