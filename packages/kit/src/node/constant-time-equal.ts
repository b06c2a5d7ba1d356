import { timingSafeEqual } from 'node:crypto'

/** Compares secrets of equal length in constant time. A different length may be observable. */
export function constantTimeEqual(given: string | Buffer, expected: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
