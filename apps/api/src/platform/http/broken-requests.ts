import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { failureBody } from '@batti/contracts'

/** What Node refuses before there is a request: its status, and what to tell. */
const refusals: Readonly<Record<string, { status: string; statusCode: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    statusCode: 431,
    message: 'The headers of the request are too large.'
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    statusCode: 408,
    message: 'The request did not come to its end in time.'
  }
}
const malformed = { status: '400 Bad Request', statusCode: 400, message: 'That is not an HTTP request.' }

/** Answers what Node itself refuses in the one envelope too; Node's own answer has no body. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const { status, statusCode, message } = refusals[error.code ?? ''] ?? malformed
    const body = JSON.stringify({ ...failureBody('VALIDATION', message, randomUUID()), statusCode })
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    )
  })
}
