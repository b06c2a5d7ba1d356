import { timingSafeEqual } from 'node:crypto'

/** Compares secrets of one length in constant time; that they are of another length may be seen. */
export function constantTimeEqual(given: string | Buffer, expected: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
