import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 32 random bytes: too many to guess, so one round of SHA-256 is enough to store them by. */
export const newDevicePassword = (): string => randomBytes(32).toString('base64url')

export const hashDevicePassword = (password: string): string => createHash('sha256').update(password).digest('hex')

/** Compares in constant time; a missing hash never matches. */
export function isPassword(password: string, hash: string | null): boolean {
  if (hash === null) return false
  return timingSafeEqual(Buffer.from(hashDevicePassword(password), 'hex'), Buffer.from(hash, 'hex'))
}
