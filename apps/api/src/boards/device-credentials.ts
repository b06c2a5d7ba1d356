import { constantTimeEqual } from '@batti/kit/node/constant-time-equal'
import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes cannot be guessed, so one round of SHA-256 is enough for storing them. */
export const newDevicePassword = (): string => randomBytes(32).toString('base64url')

export const hashDevicePassword = (password: string): string => createHash('sha256').update(password).digest('hex')

/** Compares in constant time; a missing hash never matches. */
export const isPassword = (password: string, hash: string | null): boolean =>
  hash !== null && constantTimeEqual(hashDevicePassword(password), hash)
