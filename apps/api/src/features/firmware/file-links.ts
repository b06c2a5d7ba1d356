import { timingSafeEqual } from 'node:crypto'
import type { ServerKeys } from '../../platform/store/server-keys.ts'

/** How long an address of a file is good for. */
const lifetimeMs = 3_600_000

export interface LinkQuery {
  expires: number
  /** The board that the address was made for; staff have none. */
  device?: string | undefined
  signature: string
}

/** Addresses that hand out one file for an hour to whoever has them. */
export function createFileLinks(keys: ServerKeys) {
  const textOf = (fileId: string, expires: number, device: string | undefined): string =>
    `firmware:${fileId}:${expires}:${device ?? ''}`

  return {
    /** The path and query; `base` is the server's own address. */
    make(base: string, file: { id: string; filename: string }, options: { now: number; device?: string }): string {
      const expires = options.now + lifetimeMs
      const signature = keys.digest('file-links', textOf(file.id, expires, options.device)).toString('base64url')
      const query = new URLSearchParams({
        expires: String(expires),
        ...(options.device === undefined ? {} : { device: options.device }),
        signature
      })
      return `${base}/files/firmware/${file.id}/${encodeURIComponent(file.filename)}?${query.toString()}`
    },
    judge(fileId: string, query: LinkQuery, now: number): 'good' | 'wrong' | 'expired' {
      const given = Buffer.from(query.signature, 'base64url')
      const isOurs = keys
        .digests('file-links', textOf(fileId, query.expires, query.device))
        .some((digest) => digest.length === given.length && timingSafeEqual(digest, given))
      if (!isOurs) return 'wrong'
      return query.expires > now ? 'good' : 'expired'
    }
  }
}
export type FileLinks = ReturnType<typeof createFileLinks>
