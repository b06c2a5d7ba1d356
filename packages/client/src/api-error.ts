import type { ErrorCode, FieldFault } from '@batti/contracts'

/**
 * `NETWORK`: no answer came. `LATE`: the call timed out. `UNSENT`: there was no network, so that nothing was sent.
 * `UNEXPECTED_ANSWER`: the answer does not match the contract.
 */
export type ApiErrorCode = ErrorCode | 'NETWORK' | 'LATE' | 'UNSENT' | 'UNEXPECTED_ANSWER'

/** A refused or failed call. `message` is the server's own text, so that code may compare it. */
export class ApiError extends Error {
  /** The text for people: a client in another language puts its own words here. */
  shown: string
  readonly code: ApiErrorCode
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** What is wrong with each field, in texts for people, like `shown`. */
  errors: readonly FieldFault[]
  /** From `Retry-After`, in seconds. */
  readonly retryAfterS: number | null
  /** The id by which support finds the call; null when no answer came. */
  readonly requestId: string | null

  constructor(
    code: ApiErrorCode,
    message: string,
    details: {
      status?: number
      errors?: readonly FieldFault[]
      retryAfterS?: number | null
      requestId?: string
      cause?: unknown
    } = {}
  ) {
    super(message, { cause: details.cause })
    this.name = 'ApiError'
    this.shown = message
    this.code = code
    this.status = details.status ?? 0
    this.errors = details.errors ?? []
    this.retryAfterS = details.retryAfterS ?? null
    this.requestId = details.requestId ?? null
  }
}

/** A call that was never sent or no longer matters: the session ended or the screen is gone. Never shown to the person. */
export class CancelledError extends Error {
  constructor() {
    super('cancelled')
    this.name = 'CancelledError'
  }
}

export function isCancelled(error: unknown): boolean {
  return error instanceof CancelledError || (error instanceof DOMException && error.name === 'AbortError')
}
