import { errorCodes, errorStatus, type ErrorCode } from '../errors.ts'
import type { Route } from './route.ts'

/** What any call may answer, whatever it is. */
export const commonErrors: readonly ErrorCode[] = [
  'IP_BLOCKED',
  'URI_TOO_LONG',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UNAVAILABLE'
]

/** Every code with which a call can be refused, in the order of the closed list. */
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

/** The same, grouped by the status they answer with. */
export function errorsByStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const groups = Map.groupBy(codes, (code) => errorStatus[code])
  return [...groups].toSorted(([a], [b]) => a - b)
}
