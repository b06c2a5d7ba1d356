import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Connection } from './connection.ts'
import { logPages } from './log-pages.ts'

/** https://www.sqlite.org/walformat.html */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Where the header holds the checksum of its other bytes. */
const CHECKSUM_AT = 24

/** Tells whether the checksum in the header of a log is right. The last bit of the header's magic number is its byte order. */
function isSound(header: Buffer): boolean {
  const isBigEndian = (header[3] ?? 0) % 2 === 1
  const word = (at: number): number => (isBigEndian ? header.readUInt32BE(at) : header.readUInt32LE(at))
  let [first, second] = [0, 0]
  for (let at = 0; at < CHECKSUM_AT; at += 8) {
    first = (first + word(at) + second) >>> 0
    second = (second + word(at + 4) + first) >>> 0
  }
  return header.readUInt32BE(CHECKSUM_AT) === first && header.readUInt32BE(CHECKSUM_AT + 4) === second
}

/**
 * Counts the commits in the log of an open database that SQLite cannot read. It reads a log up to the first frame whose
 * checksum is wrong, because a power cut leaves such an end. Commits behind a damaged place are ignored without an error.
 */
function unreadableCommits(writer: Connection, path: string, pageBytes: number): number {
  const log = `${path}-wal`
  if (!existsSync(log)) return 0
  // Ask SQLite: whoever closes the log's index (`-shm`) or the database file, by any handle, drops SQLite's locks on it
  // (POSIX). The next process to open the database would then truncate the index under this one.
  const [frames] = logPages(writer)
  const readable = Math.max(0, frames)
  const file = openSync(log, 'r')
  try {
    const frameBytes = FRAME_HEADER_BYTES + pageBytes
    const { size } = fstatSync(file)
    if (size < HEADER_BYTES + frameBytes) return 0
    const header = Buffer.alloc(HEADER_BYTES)
    readSync(file, header, 0, HEADER_BYTES, 0)
    const frame = Buffer.alloc(FRAME_HEADER_BYTES)
    readSync(file, frame, 0, FRAME_HEADER_BYTES, HEADER_BYTES)
    // SQLite reads nothing of a log with a damaged header, whose first frame still has its salts.
    const salts = isSound(header) ? header.subarray(16, 24) : Buffer.from(frame.subarray(8, 16))
    let commits = 0
    for (let at = HEADER_BYTES + readable * frameBytes; at + frameBytes <= size; at += frameBytes) {
      readSync(file, frame, 0, FRAME_HEADER_BYTES, at)
      // Frames with other salts are left over from before the log was begun anew. The last frame of a commit holds a size.
      const isOfThisLog = frame.subarray(8, 16).equals(salts)
      if (isOfThisLog && frame.readUInt32BE(4) !== 0) commits++
    }
    return commits
  } finally {
    closeSync(file)
  }
}

/** Tells in a sentence, for the user, that the log of an open database is damaged; null when it is not. */
export function logDamage(writer: Connection, path: string, pageBytes: number): string | null {
  const commits = unreadableCommits(writer, path, pageBytes)
  if (commits === 0) return null
  const lost = commits === 1 ? 'its last commit' : `its last ${commits} commits`
  return (
    `The log of ${path} is damaged: ${lost} cannot be read. After a power cut these are writes that were never confirmed; ` +
    'otherwise the disk is failing: check it, and compare with the latest backup.'
  )
}
