import { messageOf } from './message-of.ts'

/** Rethrows an error of a start, prefixed with the setting to look at. */
export const because =
  (what: string) =>
  (error: unknown): never => {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
  }
