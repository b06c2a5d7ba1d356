import type { RequestHandler } from 'express'

/** Decides by address alone, before anything else is read. */
export interface AddressFilter {
  isBlocked(ip: string): boolean
  guard: RequestHandler
}

/** For a product that blocks nobody. */
export const openAddressFilter: AddressFilter = {
  isBlocked: () => false,
  guard: (_req, _res, next) => next()
}
