import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MongoError } from '../../errors.ts'

/** Returns SQLite's (extended) code of an error; 0 for other errors. */
export const codeOf = (cause: unknown): number =>
  cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode : 0
const primaryCodeOf = (cause: unknown): number => codeOf(cause) & 0xff

/** Primary result codes of SQLite that the user can do something about. */
const CORRUPT = 11
const NOT_A_DATABASE = 26
const FULL = 13
const IO_ERROR = 10
const BUSY = 5
const CANNOT_OPEN = 14
const READ_ONLY = 8

/** Extended code for a failed read of a file. */
const FAILED_READ = 266

/** Extended codes for a failed sync of a file or a folder. */
export const FAILED_SYNC = 1034
const FAILED_FOLDER_SYNC = 1290
export const isFailedSync = (code: number): boolean => [FAILED_SYNC, FAILED_FOLDER_SYNC].includes(code)

/** Tells whether nothing of the open commit can be relied on after an error. */
export const isDiskFailure = (cause: unknown): boolean => [FULL, IO_ERROR].includes(primaryCodeOf(cause))

/** Tells whether a read failed because the file is damaged, or its disk. */
export const isFailedRead = (cause: unknown): boolean => [CORRUPT, IO_ERROR].includes(primaryCodeOf(cause))

const OUT_OF_DISK_SPACE = 14031
/** Tells whether an error of `sqliteFailure` is about a full disk. */
export const isRefusedByDisk = (error: unknown): boolean =>
  error instanceof MongoError && error.code === OUT_OF_DISK_SPACE

/** Tells whether an error of `sqliteFailure` is certainly about a full disk, and not about a failing one. */
export const isOfFullDisk = (error: unknown): boolean =>
  error instanceof MongoError && primaryCodeOf(error.cause) === FULL

/** SQLite opens no file with a longer path, for which it reports no reason. */
const MAX_PATH = 504

/** SQLite resolves the links in a path first. */
function isTooLong(path: string): boolean {
  try {
    return Buffer.byteLength(join(realpathSync(dirname(path)), basename(path))) > MAX_PATH
  } catch {
    return false
  }
}

/** Converts an error of SQLite into one that explains in a sentence what is wrong. Returns other errors unchanged. */
export function sqliteFailure(cause: unknown, path: string): Error {
  switch (primaryCodeOf(cause)) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return new MongoError(
        1,
        `The database file ${path} is damaged: restore it from a backup. Nothing was overwritten.`,
        { cause }
      )
    case FULL:
      return new MongoError(OUT_OF_DISK_SPACE, 'The disk is full: nothing of this write was stored.', { cause })
    case IO_ERROR:
      if (codeOf(cause) === FAILED_READ)
        return new MongoError(
          1,
          `The disk is failing: a part of ${path} cannot be read. Restore a backup on another disk.`,
          {
            cause
          }
        )
      return new MongoError(
        OUT_OF_DISK_SPACE,
        'The disk did not take the write (full or failing): nothing of it was stored.',
        {
          cause
        }
      )
    case BUSY:
      return new MongoError(1, `The database file ${path} is in use by another process.`, { cause })
    case CANNOT_OPEN:
    case READ_ONLY: {
      const why = isTooLong(path)
        ? `: its path is longer than ${MAX_PATH} bytes. Choose a folder with a shorter path`
        : ' for writing'
      return new MongoError(1, `The database file ${path} cannot be opened${why}.`, { cause })
    }
    default:
      return cause instanceof Error ? cause : new Error(String(cause))
  }
}
