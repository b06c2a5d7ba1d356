import { errorCodes, errorStatus, type ErrorCode } from '../errors.ts'
import type { Route } from './route.ts'

/** Errors that any call may answer. */
export const commonErrors: readonly ErrorCode[] = [
  'IP_BLOCKED',
  'URI_TOO_LONG',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UNAVAILABLE'
]

/** Returns every code with which a call can be refused, in the order of `errorStatus`. */
export function routeErrors(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...commonErrors, ...(route.errors ?? [])])
  if (route.params !== undefined || route.query !== undefined || route.body !== undefined) codes.add('VALIDATION')
  if (route.params !== undefined) codes.add('NOT_FOUND')
  if (route.body !== undefined || route.multipart !== undefined) codes.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA')
  if (route.multipart !== undefined) codes.add('VALIDATION').add('UNPROCESSABLE').add('STORAGE_FULL')
  if (route.access.kind !== 'public') codes.add('UNAUTHENTICATED')
  if (route.access.kind === 'roles') codes.add('FORBIDDEN')
  return errorCodes.filter((code) => codes.has(code))
}

/** Groups codes by their status. */
export function errorsByStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const groups = Map.groupBy(codes, (code) => errorStatus[code])
  return [...groups].toSorted(([a], [b]) => a - b)
}
