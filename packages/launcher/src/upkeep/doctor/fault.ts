/** One thing that is wrong with an installation. */
export interface Fault {
  what: string
  where: string
  do: string
}

/** Describes the error of a disk that can only be read; null for any other error. Linux mounts a failing SD card like that. */
export const readOnlyFault = (error: unknown, where: string): Fault | null =>
  error instanceof Error && 'code' in error && error.code === 'EROFS'
    ? {
        what: 'The data folder is on a disk that can only be read',
        where,
        do: 'Mount it for writing. If nobody mounted it like that, the disk is failing: copy the data folder to another one first.'
      }
    : null

/** Formats a fault as one line for the user. */
export const faultLine = (fault: Fault): string => `${fault.what} (${fault.where}). ${fault.do}`
