import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { MongoError } from '../errors.ts'

/** A temporary file for data of a query that exceeds the memory. It disappears with the process, even a killed one. */
export interface ScratchFile {
  /** Appends bytes. Returns their position. */
  append(bytes: Uint8Array): number
  /** Reads `length` bytes at a position; fewer only at the end. */
  read(at: number, length: number): Buffer
  close(): void
}

export interface Scratch {
  open(): ScratchFile
}

/** Creates scratch files beside the database, on its disk. A temporary folder may be in memory. */
export function createScratch(databasePath: string): Scratch {
  let count = 0
  return {
    open: () => {
      const path = `${databasePath}.scratch-${process.pid}-${++count}`
      const file = openSync(path, 'wx+', 0o600)
      // Unlink the file at once where the system allows it for an open file.
      const isNamed = process.platform === 'win32'
      if (!isNamed) rmSync(path)
      let end = 0
      return {
        append: (bytes) => {
          const at = end
          try {
            for (let done = 0; done < bytes.length;)
              done += writeSync(file, bytes, done, bytes.length - done, at + done)
          } catch (cause) {
            throw new MongoError(14031, 'The disk is full: there is no room to sort what this query found.', { cause })
          }
          end += bytes.length
          return at
        },
        read: (at, length) => {
          const bytes = Buffer.allocUnsafe(Math.min(length, end - at))
          for (let done = 0; done < bytes.length;) {
            const got = readSync(file, bytes, done, bytes.length - done, at + done)
            if (got === 0) throw new MongoError(1, 'a scratch file is shorter than what was written to it')
            done += got
          }
          return bytes
        },
        close: () => {
          closeSync(file)
          if (isNamed) rmSync(path, { force: true })
        }
      }
    }
  }
}
