/** Every error code of the product and its HTTP status. The list is closed: a new code needs an entry here. */
export const errorStatus = {
  VALIDATION: 400,
  CODE_INVALID: 400,
  DEVICE_TYPE_UNKNOWN: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  IP_BLOCKED: 403,
  DEVICE_REFUSED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  DEVICE_OFFLINE: 409,
  LIMIT_REACHED: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA: 415,
  UNPROCESSABLE: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEVICE_NO_RESPONSE: 504,
  STORAGE_FULL: 507
} as const

export type ErrorCode = keyof typeof errorStatus

export const errorCodes = Object.keys(errorStatus).filter(isErrorCode)

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorStatus, value)
}
