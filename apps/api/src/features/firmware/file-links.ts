import { hourMs } from '@batti/kit/durations'
import { constantTimeEqual } from '@batti/kit/node/constant-time-equal'
import type { ServerKeys } from '../../platform/store/server-keys.ts'

/** How long a file URL is valid. */
const lifetimeMs = hourMs

export interface LinkQuery {
  expires: number
  /** The board that the URL was made for; none for staff. */
  device?: string | undefined
  signature: string
}

/** Signed URLs: for an hour, whoever has one can download the file. */
export function createFileLinks(keys: ServerKeys) {
  const textOf = (fileId: string, expires: number, device: string | undefined): string =>
    `firmware:${fileId}:${expires}:${device ?? ''}`

  return {
    /** Returns the URL of a file; `base` is the server's own address. */
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
        .some((digest) => constantTimeEqual(given, digest))
      if (!isOurs) return 'wrong'
      return query.expires > now ? 'good' : 'expired'
    }
  }
}
export type FileLinks = ReturnType<typeof createFileLinks>
