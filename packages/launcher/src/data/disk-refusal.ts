import { isOfFullDisk } from '@batti/embedded-mongo/storage/file/failure'
import { LaunchError } from '../launch-error.ts'

/** Tells whether the system or the database reports a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) ||
  isOfFullDisk(error)

/** Explains what to do about a disk that is full or read-only, or a file of another user; null for any other error. */
export function diskRefusal(error: unknown, folder: string): LaunchError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const path = 'path' in error && typeof error.path === 'string' ? error.path : folder
  if (isDiskFull(error))
    return new LaunchError(`The disk is full: nothing more can be kept in ${folder}. Make room, and try again.`)
  switch (error.code) {
    case 'EROFS':
      return new LaunchError(`${path} is on a disk that can only be read. Mount it for writing, and try again.`)
    case 'EACCES':
    case 'EPERM':
      // Windows reports the same code for a file that another program has open.
      return process.platform === 'win32'
        ? null
        : new LaunchError(`The user who runs this may not use ${path}. ${giveBack}`)
    default:
      return null
  }
}

const giveBack =
  'Run it as the owner of the data folder; what in that belongs to another user is given back by chown -R USER FOLDER.'
