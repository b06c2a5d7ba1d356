import { messageOf } from '@batti/kit/message-of'

/** Ends a start in words that name the setting to look at, before the words of whoever failed. */
export const because =
  (what: string) =>
  (error: unknown): never => {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
  }
