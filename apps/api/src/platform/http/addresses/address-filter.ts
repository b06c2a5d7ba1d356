import type { RequestHandler } from 'express'

/** Decides only by address, before the request is read. */
export interface AddressFilter {
  isBlocked(ip: string): boolean
  guard: RequestHandler
}

/** Blocks nobody. */
export const openAddressFilter: AddressFilter = {
  isBlocked: () => false,
  guard: (_req, _res, next) => next()
}
