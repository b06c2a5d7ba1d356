import { statfsSync } from 'node:fs'

export const mebibyte = 1024 * 1024

/** Formats bytes as whole MiB, such as "32 MiB". */
export const inMebibytes = (bytes: number): string => `${Math.round(bytes / mebibyte)} MiB`

/** Returns the free bytes for this user on the disk of a folder. @throws the system's error when there is no such folder. */
export function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
