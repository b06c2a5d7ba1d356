import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { failureBody, type ErrorCode } from '@batti/contracts'

type BrokenRequest = NodeJS.ErrnoException & { rawPacket?: Buffer }
interface Refusal {
  code: ErrorCode
  message: string
  /** In place of the code's own, for what HTTP has a status of its own. */
  status?: number
}

const longPath = /^[A-Z]+ [^\s]{4096}/

/** What Node refuses before there is a request. */
function refusalOf({ code, rawPacket }: BrokenRequest): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      // An address that comes in many packets counts as headers: nothing is kept of the packets before.
      return longPath.test(rawPacket?.toString('latin1', 0, 8192) ?? '')
        ? { code: 'URI_TOO_LONG', message: 'The address is too long.' }
        : { code: 'PAYLOAD_TOO_LARGE', message: 'The headers of the request are too large.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'VALIDATION', message: 'The request did not come to its end in time.', status: 408 }
    default:
      return { code: 'VALIDATION', message: 'That is not an HTTP request.' }
  }
}

const lingerMs = 2000

/** The last that a connection is told. Whoever then neither reads it nor closes the other end is let go all the same. */
export function endWith(socket: Duplex, answer: string): void {
  socket.end(answer)
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Answers what Node itself refuses in the one envelope too; Node's own answer has no body. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: BrokenRequest, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const { code, message, status } = refusalOf(error)
    const failure = failureBody(code, message, randomUUID())
    const statusCode = status ?? failure.statusCode
    const body = JSON.stringify({ ...failure, statusCode })
    endWith(
      socket,
      `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    )
  })
}
