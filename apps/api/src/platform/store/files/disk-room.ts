import { freeBytesAt, mebibyte } from '@batti/kit/node/disk-space'

/** Disk space that uploads leave free, so that logs, sessions and deletions can still be stored. */
const KEPT_BYTES = 32 * mebibyte

/** Whether the disk of a folder has room for a file of that size besides the reserve. */
export function hasRoomFor(folder: string, bytes: number, freeBytes = freeBytesAt): boolean {
  return freeBytes(folder) - bytes >= KEPT_BYTES
}
