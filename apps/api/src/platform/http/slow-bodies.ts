import type { IncomingMessage, Server } from 'node:http'

export interface BodyLimits {
  /** A body that nobody allowed to be slow is there within this. */
  wholeMs: number
  /** One that may be slow brings so much in each such span of time, which a telephone on a hill still does. */
  windowMs: number
  windowBytes: number
}

const usual: BodyLimits = { wholeMs: 30_000, windowMs: 15_000, windowBytes: 16 * 1024 }

/** In any case the longest that a request may take, milliseconds. */
export const longestRequestMs = 30 * 60_000

const mayBeSlow = new WeakSet<IncomingMessage>()

/** From somebody who may upload: the body may take its time, as long as it comes. */
export const allowSlowBody = (request: IncomingMessage): void => void mayBeSlow.add(request)

/**
 * Ends requests whose bodies do not come. Node's own limit knows only one time for all: long enough for a firmware file
 * over a slow line, it would let anybody hold a connection open with a byte now and then.
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
