import type { Route } from '@batti/contracts'
import type { Request, Response } from 'express'
import type { z } from 'zod'
import type { Actor } from '../people/actor.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** A file of a multipart body, streamed to disk. */
export interface UploadedFile {
  originalName: string
  size: number
  path: string
  /** In hexadecimal. */
  sha256: string
  /** Re-encodes the picture from its pixels alone. @throws AppError UNSUPPORTED_MEDIA, UNPROCESSABLE. */
  decode?: DecodePicture
}
export type DecodePicture = () => Promise<Buffer>

/** One validated and authorized call, as passed to a feature's handler. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  params: Params
  query: Query
  body: Body
  /** Throws 401 if nobody is logged in; on guarded calls somebody always is. */
  actor: Actor
  ip: string
  userAgent: string
  requestId: string
  file: UploadedFile | undefined
  /** For cookies and streams only; answers are returned instead. */
  http: { req: Request; res: Response }
}

/** An answer that needs more than `data`. */
export class Reply {
  readonly data: unknown
  readonly options: {
    shape?: 'fields' | 'record' | 'list'
    beside?: Record<string, unknown>
    message?: string
    status?: number
  }
  constructor(data: unknown, options: Reply['options'] = {}) {
    this.data = data
    this.options = options
  }
}

export type UploadKind = 'image' | 'firmware'

export interface RouteHandler {
  route: Route
  handler: (call: Call<never, never, never>) => Promise<unknown>
  upload?: UploadKind
}

/** Pairs a descriptor with its handler; params, query and body are typed by the descriptor's schemas. */
export function on<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  route: Route<P, Q, B, A>,
  handler: (call: Call<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<z.input<A> | Reply | void>,
  options: { upload?: UploadKind } = {}
): RouteHandler {
  return { route, handler, ...options }
}
