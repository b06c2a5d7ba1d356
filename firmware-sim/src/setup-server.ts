import { setupConfigPath, type SetupForm } from '@batti/contracts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { readSetupForm } from './setup-form.ts'
import { acceptedPage, closedPage, faultPage, formPage } from './setup-page.ts'

/** What the page tells of the board it belongs to. */
export type SetupSubject = { readonly mac: string; readonly title: string }

export type SetupParts = {
  subject: SetupSubject
  /** When setup mode ends, or null outside of it. */
  endsAt(): number | null
  now(): number
  /** False when the board is not in setup mode any more. */
  accept(form: SetupForm): boolean
}

const bodyMaxBytes = 16 * 1024
const formType = 'application/x-www-form-urlencoded'

/** The board's own HTTP, for the first minutes of its life. Source: wire §4. The caller listens and closes. */
export function createSetupServer(parts: SetupParts): Server {
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 8192 },
    (request, response) => {
      answer(request, response, parts).catch(() => response.destroy())
    }
  )
  server.maxConnections = 32
  return server
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: SetupParts): Promise<void> {
  const path = (request.url ?? '/').split('?')[0]
  const send = sender(request, response)
  if (path === '/') {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(send, 405, 'Only GET is answered here.')
    const endsAt = parts.endsAt()
    return endsAt === null
      ? send(403, closedPage(parts.subject))
      : send(200, formPage(parts.subject, endsAt - parts.now()))
  }
  if (path !== setupConfigPath) return refuse(send, 404, 'There is nothing at this address. The form is at /.')
  if (request.method !== 'POST') return refuse(send, 405, 'Only POST is answered here.')
  if (parts.endsAt() === null) return send(403, closedPage(parts.subject))
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== formType) {
    return refuse(send, 415, 'Send the form as application/x-www-form-urlencoded.')
  }
  const body = await readBody(request)
  if (body === null) return refuse(send, 413, 'The form is too long.')
  return configure(new URLSearchParams(body), send, parts)
}

function configure(fields: URLSearchParams, send: Send, parts: SetupParts): void {
  const read = readSetupForm(fields)
  const endsAt = parts.endsAt()
  if ('faults' in read)
    return send(400, formPage(parts.subject, (endsAt ?? 0) - parts.now(), shown(fields), read.faults))
  if (!parts.accept(read.form)) return send(403, closedPage(parts.subject))
  send(200, acceptedPage(parts.subject, read.form))
}

/** What a person typed is shown again, the password never. */
function shown(fields: URLSearchParams): Map<string, string> {
  return new Map([...fields].filter(([name]) => name !== 'password'))
}

type Send = (status: number, html: string) => void

function sender(request: IncomingMessage, response: ServerResponse): Send {
  return (status, html) => {
    const body = Buffer.from(html, 'utf8')
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': body.length,
      'cache-control': 'no-store',
      // A request that was not read to its end leaves the connection in a state nobody can use.
      connection: 'close',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...(status === 405 ? { allow: request.url === '/' ? 'GET' : 'POST' } : {})
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

const refuse = (send: Send, status: number, message: string): void => send(status, faultPage(message))

/** The body as text, or null when it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > bodyMaxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
