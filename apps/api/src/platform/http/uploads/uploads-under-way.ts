import { addressGroup } from '@batti/kit/address'
import type { Response } from 'express'
import { tryAgainAfter } from '../../app-error.ts'
import { createOpenCounts } from '../../open-counts.ts'

export interface Uploader {
  /** Undefined: a stranger, identified by the address only. */
  userId: string | undefined
  ip: string
}

/** Returns the key by which uploads are counted. */
export const uploaderKey = ({ userId, ip }: Uploader): string => userId ?? `ip:${addressGroup(ip)}`

/** `each`: per account, or per address of strangers; `strangers`: all of them together. */
export interface UploadsAtOnce {
  each: number
  strangers: number
}

/**
 * Limits concurrent uploads, because each takes disk space until it is answered. The returned function counts one until
 * `res` closes. @throws AppError TOO_MANY_REQUESTS where there is no room for it.
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
