import { minuteMs } from '@batti/kit/durations'
import type { IncomingMessage, Server } from 'node:http'

export interface BodyLimits {
  /** A body must be complete within this time, unless it is allowed to be slow. */
  wholeMs: number
  /** A slow body must deliver this many bytes in each window: enough for a phone with a poor connection. */
  windowMs: number
  windowBytes: number
}

const usual: BodyLimits = { wholeMs: 30_000, windowMs: 15_000, windowBytes: 16 * 1024 }

/** The longest that any request may take, in milliseconds. */
export const longestRequestMs = 30 * minuteMs

const mayBeSlow = new WeakSet<IncomingMessage>()

/** Allows a slow body, for callers that may upload: it only has to keep arriving. */
export const allowSlowBody = (request: IncomingMessage): void => void mayBeSlow.add(request)

/**
 * Ends requests whose bodies stall. Node has only one timeout for all requests: long enough for a firmware file on a slow
 * line, it would let anybody hold a connection open with an occasional byte.
 */
export function endSlowBodies(server: Server, { wholeMs, windowMs, windowBytes }: BodyLimits = usual): void {
  server.on('request', (request, response) => {
    const { headers, socket } = request
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    const end = (): void => {
      if (response.headersSent) socket.destroy()
      else server.emit('clientError', Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }
    const whole = setTimeout(() => {
      if (!mayBeSlow.has(request)) end()
    }, wholeMs)
    let before = socket.bytesRead
    const window = setInterval(() => {
      const came = socket.bytesRead - before
      before = socket.bytesRead
      if (mayBeSlow.has(request) && came < windowBytes) end()
    }, windowMs)
    const stop = (): void => {
      clearTimeout(whole)
      clearInterval(window)
    }
    request.once('end', stop)
    request.once('close', stop)
  })
}
