import type { RequestHandler } from 'express'

/** Decides by address alone, before anything else is read. */
export interface AddressGate {
  isBlocked(ip: string): boolean
  guard: RequestHandler
}

/** For a product that blocks nobody. */
export const openGate: AddressGate = {
  isBlocked: () => false,
  guard: (_req, _res, next) => next()
}
