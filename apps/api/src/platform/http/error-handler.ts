import { failureBody, type ErrorCode, type FieldFault } from '@batti/contracts'
import type { ErrorRequestHandler } from 'express'
import type { Logger } from 'pino'
import { ZodError } from 'zod'
import { AppError, validationError } from '../app-error.ts'
import { faultPage, isReadByPerson } from './pages/fault-page.ts'
import { requestIdOf } from './request-log.ts'
import { faultsOf } from './validate.ts'

const storageFull = {
  code: 'STORAGE_FULL',
  message: 'The disk of the server is full or cannot be written. Nothing was stored.'
} as const

/** Errors of Express, body-parser, multer and the database, by their `type` or `code`. */
const knownFaults: Record<string, { code: ErrorCode; message: string }> = {
  'entity.too.large': { code: 'PAYLOAD_TOO_LARGE', message: 'The request is too large.' },
  'entity.parse.failed': { code: 'VALIDATION', message: 'The body is not valid JSON.' },
  'encoding.unsupported': { code: 'UNSUPPORTED_MEDIA', message: 'That content encoding is not supported.' },
  'charset.unsupported': { code: 'UNSUPPORTED_MEDIA', message: 'That character set is not supported: use UTF-8.' },
  'request.aborted': { code: 'VALIDATION', message: 'The request ended before it was complete.' },
  'request.size.invalid': { code: 'VALIDATION', message: 'The request is not as long as its Content-Length says.' },
  'parameters.too.many': { code: 'PAYLOAD_TOO_LARGE', message: 'The request has too many fields.' },
  LIMIT_FILE_SIZE: { code: 'PAYLOAD_TOO_LARGE', message: 'The file is too large.' },
  LIMIT_FILE_COUNT: { code: 'VALIDATION', message: 'Send one file only.' },
  LIMIT_PART_COUNT: { code: 'VALIDATION', message: 'The form has too many parts.' },
  LIMIT_FIELD_COUNT: { code: 'VALIDATION', message: 'The form has too many fields.' },
  MISSING_FIELD_NAME: { code: 'VALIDATION', message: 'A field of the form has no name.' },
  LIMIT_FIELD_KEY: { code: 'VALIDATION', message: 'A field name of the form is too long.' },
  LIMIT_FIELD_VALUE: { code: 'PAYLOAD_TOO_LARGE', message: 'A field of the form is too long.' },
  LIMIT_FIELD_NESTING: { code: 'VALIDATION', message: 'A field name of the form is nested too deep.' },
  ENOSPC: storageFull,
  EDQUOT: storageFull,
  // MongoDB's OutOfDiskSpace.
  14031: storageFull
}

const databaseIsAway =
  /MongoServerSelectionError|MongoNetwork|MongoNotConnected|MongoTopologyClosed|PoolClearedError|MongoWaitQueueTimeout/

/** If the database dies while a command is being written, the driver throws the socket's error unchanged. */
const brokenPipes = new Set<string | number>(['EPIPE', 'ECONNRESET', 'ECONNREFUSED'])

/** Converts any thrown value to an AppError. Unexpected ones become a generic 500. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ZodError) return validationError(faultsOf(error))
  if (typeof error !== 'object' || error === null)
    return new AppError('INTERNAL', 'Something went wrong. Please try again.')
  const { type, code, name, status, message, field, errorResponse } = error as {
    type?: string
    code?: string | number
    name?: string
    status?: number
    message?: string
    field?: string
    errorResponse?: unknown
  }
  // The driver wraps the cause of a failed bulk write, even if it did not come from the server.
  if (errorResponse instanceof Error) return toAppError(errorResponse)
  const known = knownFaults[type ?? ''] ?? knownFaults[String(code ?? '')]
  if (known !== undefined) {
    // Multer names the field.
    const errors = field === undefined ? [] : [{ path: field, message: known.message }]
    return new AppError(known.code, known.message, { cause: error, errors })
  }
  if (databaseIsAway.test(name ?? '') || isTimeout(name, code) || brokenPipes.has(code ?? '')) {
    return new AppError('UNAVAILABLE', 'The database cannot be reached. Please try again after 5 seconds.', {
      cause: error,
      retryAfterS: 5
    })
  }
  if (name === 'URIError' || message?.startsWith('Failed to decode param') === true) {
    return new AppError('VALIDATION', 'The address is not encoded correctly.', { cause: error })
  }
  // The client went away in the middle of a form. It reads no answer, and nothing is wrong here, so no alarm is logged.
  if (/^Request (aborted|closed|error)$/.test(message ?? '')) {
    return new AppError('VALIDATION', 'The request ended before it was complete.', { cause: error })
  }
  if (/^(Multipart|Unexpected end of form|Malformed part header|Boundary not found)/i.test(message ?? '')) {
    return new AppError('VALIDATION', 'The form is not complete. Please send it again.', { cause: error })
  }
  if (status === 404) return new AppError('NOT_FOUND', 'That page does not exist.', { cause: error })
  if (status === 415) return new AppError('UNSUPPORTED_MEDIA', 'That content type is not supported.', { cause: error })
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError('VALIDATION', 'The request is not valid.', { cause: error })
  }
  return new AppError('INTERNAL', 'Something went wrong. Please try again.', { cause: error })
}

/** MongoDB's CursorNotFound, MaxTimeMSExpired and CursorKilled: the driver kills the cursor of a call that took too long. */
const timeoutCodes: ReadonlySet<unknown> = new Set([43, 50, 237])

const isTimeout = (name: string | undefined, code: unknown): boolean =>
  timeoutCodes.has(code) || name === 'MongoOperationTimeoutError' || name === 'MongoNetworkTimeoutError'

/** The only place where an error becomes an answer. */
export function createErrorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const appError = toAppError(error)
    const requestId = requestIdOf(req)
    if (appError.status >= 500 && appError.code !== 'DEVICE_NO_RESPONSE') {
      log.error({ err: appError.cause ?? appError, requestId }, appError.message)
    }
    // The client sees that the answer has broken off.
    if (res.headersSent) return void res.destroy()
    if (appError.code === 'UNAUTHENTICATED') res.setHeader('WWW-Authenticate', 'Bearer')
    if (appError.retryAfterS !== undefined) res.setHeader('Retry-After', String(appError.retryAfterS))
    const errors: readonly FieldFault[] = appError.errors
    res.locals['errorCode'] = appError.code
    res.status(appError.status).vary('Accept')
    if (isReadByPerson(req)) res.type('html').send(faultPage(appError.code, appError.message, requestId))
    else res.json(failureBody(appError.code, appError.message, requestId, errors))
  }
}
