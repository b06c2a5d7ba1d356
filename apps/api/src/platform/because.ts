import { messageOf } from '@batti/kit/message-of'

/** Rethrows an error of a start, prefixed with the setting to look at. */
export const because =
  (what: string) =>
  (error: unknown): never => {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
  }
