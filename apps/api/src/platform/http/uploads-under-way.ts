import { addressGroup } from '@batti/kit/address'
import type { Response } from 'express'
import { tryAgainAfter } from '../app-error.ts'
import { createOpenCounts } from '../open-counts.ts'

export interface Uploader {
  /** Undefined: a stranger, known by the address alone. */
  userId: string | undefined
  ip: string
}

/** What is counted together. */
export const uploaderKey = ({ userId, ip }: Uploader): string => userId ?? `ip:${addressGroup(ip)}`

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
  const underWay = createOpenCounts()

  return (from: Uploader, res: Response): void => {
    const limits = new Map([[uploaderKey(from), each]])
    if (from.userId === undefined) limits.set('strangers', strangers)
    if ([...limits].some(([key, most]) => underWay.of(key) >= most)) throw tryAgainAfter(5)
    for (const key of limits.keys()) res.on('close', underWay.open(key))
  }
}
