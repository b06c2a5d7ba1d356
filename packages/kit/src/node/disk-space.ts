import { statfsSync } from 'node:fs'

export const mebibyte = 1024 * 1024

/** "32 MiB": whole ones. */
export const inMebibytes = (bytes: number): string => `${Math.round(bytes / mebibyte)} MiB`

/** What the disk of a folder has left for whoever runs this, bytes. @throws the system's error where there is no such folder. */
export function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
