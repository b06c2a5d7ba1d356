import { addressGroup } from '@batti/kit/address'
import type { Response } from 'express'
import { tryAgainAfter } from '../app-error.ts'

/** `each`: of one account, or of one address of strangers; `strangers`: of all of them together. */
export interface UploadsAtOnce {
  each: number
  strangers: number
}

/**
 * Bounds the uploads that are under way, each of which takes its place on the disk until it is answered.
 * What it answers counts one more until `res` is over. @throws AppError TOO_MANY_REQUESTS where there is no room for it.
 */
export function createUploadsUnderWay({ each, strangers }: UploadsAtOnce) {
  const counts = new Map<string, number>()
  const isFull = (name: string, most: number): boolean => (counts.get(name) ?? 0) >= most
  function count(name: string, by: 1 | -1): void {
    const now = (counts.get(name) ?? 0) + by
    if (now === 0) counts.delete(name)
    else counts.set(name, now)
  }

  return (from: { userId: string | undefined; ip: string }, res: Response): void => {
    const isStranger = from.userId === undefined
    const own = from.userId ?? `ip:${addressGroup(from.ip)}`
    if (isFull(own, each) || (isStranger && isFull('strangers', strangers))) throw tryAgainAfter(5)
    const names = isStranger ? [own, 'strangers'] : [own]
    for (const name of names) count(name, 1)
    res.on('close', () => names.forEach((name) => count(name, -1)))
  }
}
