import { MongoError } from '../errors.ts'

/** SQLite's code of an error, the extended one where there is one; 0 for errors of others. */
export const codeOf = (cause: unknown): number =>
  cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode : 0
const primaryCodeOf = (cause: unknown): number => codeOf(cause) & 0xff

/** SQLite's primary result codes that a person can do something about. */
const CORRUPT = 11
const NOT_A_DATABASE = 26
const FULL = 13
const IO_ERROR = 10
const BUSY = 5
const CANNOT_OPEN = 14
const READ_ONLY = 8

/** Extended codes: a file, or a folder, that could not be synced. */
export const FAILED_SYNC = 1034
const FAILED_FOLDER_SYNC = 1290
export const isFailedSync = (code: number): boolean => [FAILED_SYNC, FAILED_FOLDER_SYNC].includes(code)

/** Errors after which nothing of the open commit can be trusted to be written. */
export const isDiskFailure = (cause: unknown): boolean => [FULL, IO_ERROR].includes(primaryCodeOf(cause))

const OUT_OF_DISK_SPACE = 14031
/** The same, once it is told in a sentence. */
export const isRefusedByDisk = (error: unknown): boolean =>
  error instanceof MongoError && error.code === OUT_OF_DISK_SPACE

/** Turns an error of SQLite into one that says in a sentence what is wrong; others pass through. */
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
    case READ_ONLY:
      return new MongoError(1, `The database file ${path} cannot be opened for writing.`, { cause })
    default:
      return cause instanceof Error ? cause : new Error(String(cause))
  }
}
