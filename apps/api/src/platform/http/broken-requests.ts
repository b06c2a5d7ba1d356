import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { failureBody, type ErrorCode } from '@batti/contracts'

type BrokenRequest = NodeJS.ErrnoException & { rawPacket?: Buffer }
interface Refusal {
  code: ErrorCode
  message: string
  /** Overrides the status of the code where HTTP has a more specific one. */
  status?: number
}

const longPath = /^[A-Z]+ [^\s]{4096}/

/** Maps an error that Node raises before there is a request. */
function refusalOf({ code, rawPacket }: BrokenRequest): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      // A URL split over many packets is reported as too large headers, because earlier packets are not kept.
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

/** Writes a final answer and ends the socket. It is destroyed if the client then neither reads nor closes its end. */
export function endWith(socket: Duplex, answer: string): void {
  socket.end(answer)
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Answers requests that Node itself refuses in the usual envelope; Node's own answer has no body. */
export function answerBrokenRequests(server: Server): void {
  // An unknown `Expect` may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
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
