import { freeBytesAt, mebibyte } from '@batti/kit/node/disk-space'

/** What uploads leave of the disk: on a full one it is what logs, sessions and deletions have to be stored in. */
const KEPT_BYTES = 32 * mebibyte

/** Whether the disk of a folder has room for a file of that size beside what is kept free. */
export function hasRoomFor(folder: string, bytes: number, freeBytes = freeBytesAt): boolean {
  return freeBytes(folder) - bytes >= KEPT_BYTES
}
