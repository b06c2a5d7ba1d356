import { createHash } from 'node:crypto'
import { setupConfigPath, type SetupForm } from '@batti/contracts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { readSetupForm } from './setup-form.ts'
import { acceptedPage, closedPage, faultPage, formPage, type SetupSubject } from './setup-page.ts'
import { setupStyle } from './setup-style.ts'
import { readText } from '../stream-bytes.ts'

export interface SetupParts {
  subject: SetupSubject
  /** Returns when setup mode ends; null outside of it. */
  endsAt(): number | null
  now(): number
  /** Returns false when setup mode is over. */
  accept(form: SetupForm): boolean
}

const bodyMaxBytes = 16 * 1024
/** Allows no scripts, and only the page's own style. */
const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(setupStyle).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join('; ')
const formType = 'application/x-www-form-urlencoded'

/** Creates the board's HTTP server for setup mode. The caller opens and closes it. */
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
  const send = sender(request, response, path)
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
  const body = await readText(request, bodyMaxBytes)
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

/** Returns the input to show again, without the password. */
function shown(fields: URLSearchParams): Map<string, string> {
  return new Map([...fields].filter(([name]) => name !== 'password'))
}

type Send = (status: number, html: string) => void

function sender(request: IncomingMessage, response: ServerResponse, path: string | undefined): Send {
  return (status, html) => {
    const body = Buffer.from(html, 'utf8')
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': body.length,
      'cache-control': 'no-store',
      // After a request that was not read completely, the connection cannot be reused.
      connection: 'close',
      'content-security-policy': contentPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...(status === 405 ? { allow: path === '/' ? 'GET' : 'POST' } : {})
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

const refuse = (send: Send, status: number, message: string): void => send(status, faultPage(message))
