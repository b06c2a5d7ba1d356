import { errorStatus, type ErrorCode, type FieldFault } from '@batti/contracts'

interface AppErrorDetails {
  cause?: unknown
  errors?: readonly FieldFault[]
  /** Seconds until a retry makes sense: the `Retry-After` header. */
  retryAfterS?: number
}

/** A refusal with a code of the closed list; `message` is a sentence for the person who caused it. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: readonly FieldFault[]
  readonly retryAfterS: number | undefined

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.errors = details.errors ?? []
    this.retryAfterS = details.retryAfterS
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** Absent records and records of others get the same answer, so that a stranger learns nothing. */
export const notFound = (what: string): AppError => new AppError('NOT_FOUND', `${what} was not found.`)

/** Creates the error for one faulty field. `message`: a sentence, or the words that follow the field's name. */
export const invalid = (path: string, message: string): AppError => validationError([{ path, message }])

/** Creates the error for a file that is not of the kind that its field takes, or cannot be read. */
export const refusedFile = (
  code: 'UNSUPPORTED_MEDIA' | 'UNPROCESSABLE',
  path: string,
  message: string,
  cause?: unknown
): AppError => new AppError(code, message, { cause, errors: [{ path, message }] })

export const unknownZone = (path: string): AppError => invalid(path, 'is not a known time zone such as Asia/Kathmandu')

/** `path`: the field of the call that is to blame, if one is. */
export const conflict = (message: string, path?: string): AppError =>
  new AppError('CONFLICT', message, path === undefined ? {} : { errors: [{ path, message }] })

export const limitReached = (message: string): AppError => new AppError('LIMIT_REACHED', message)

export const forbidden = (message = 'You do not have permission to perform this action.'): AppError =>
  new AppError('FORBIDDEN', message)

export const addressBlocked = (): AppError => new AppError('IP_BLOCKED', 'Requests from your address are blocked.')

export const unauthenticated = (message = 'Please log in.'): AppError => new AppError('UNAUTHENTICATED', message)

/** The text contains `after`: the specified code screens look for that word. */
export function tryAgainAfter(seconds: number): AppError {
  const wait = Math.max(1, Math.ceil(seconds))
  return new AppError('TOO_MANY_REQUESTS', `Please try again after ${wait} ${wait === 1 ? 'second' : 'seconds'}.`, {
    retryAfterS: wait
  })
}

export const unavailable = (message: string, retryAfterS = 5): AppError =>
  new AppError('UNAVAILABLE', message, { retryAfterS })

/** Creates one 400 for all faults. A specified sentence is used alone; any other message is prefixed with its field. */
export function validationError(errors: readonly FieldFault[]): AppError {
  const first = errors[0]
  const isSentence = first !== undefined && /^[A-Z].*[.!']?$/.test(first.message) && first.message.includes(' ')
  const message =
    first === undefined ? 'The request is not valid.' : isSentence ? first.message : `${first.path}: ${first.message}`
  return new AppError('VALIDATION', message, { errors })
}
