import { parseJson } from '@batti/kit/json'
import { boardTypes } from '@batti/contracts/board-types'
import { messageOf } from '@batti/kit/message-of'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { control, type ControlAnswer } from './control-api.ts'
import type { Fleet } from './fleet.ts'
import { readText } from './stream-bytes.ts'
import { createWallEvents } from './wall-events.ts'
import { refusalOf } from './wall-guard.ts'

const bodyMaxBytes = 16 * 1024

const pageFiles: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: 'text/html' },
  '/wall.css': { file: 'wall.css', type: 'text/css' },
  '/wall.js': { file: 'wall.js', type: 'text/javascript' },
  '/board-card.js': { file: 'board-card.js', type: 'text/javascript' },
  '/outlets.js': { file: 'outlets.js', type: 'text/javascript' },
  '/icons.js': { file: 'icons.js', type: 'text/javascript' }
}

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store'
}

/**
 * Creates the server of the wall: its page, live events and the control API. The caller makes it listen on `host`.
 * `app` is the URL of the app that these boards belong to, if known.
 */
export function createWallServer(
  fleet: Fleet,
  host: string,
  app: URL | null = null
): { server: Server; close(): Promise<void> } {
  const events = createWallEvents(fleet)
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      sendJson(response, {
        status: 500,
        body: { message: messageOf(error) }
      })
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const method = request.method ?? 'GET'
    const refusal = refusalOf(request, host)
    if (refusal !== null) return sendJson(response, { status: 403, body: { message: refusal } })
    if (path === '/healthz')
      return sendJson(response, { status: 200, body: { status: 'ok', boards: fleet.list().length } })
    if (path === '/api/events' && method === 'GET') return events.open(response)
    if (path.startsWith('/api/'))
      return sendJson(response, await controlled(request, method, path.slice('/api/'.length)))
    sendFile(response, method, path, app)
  }

  async function controlled(request: IncomingMessage, method: string, path: string): Promise<ControlAnswer> {
    if (method === 'HEAD') return controlled(request, 'GET', path)
    if (method === 'GET' || method === 'DELETE') return control(fleet, method, path, undefined)
    // A form of another site cannot send this type without a CORS preflight.
    if (request.headers['content-type']?.split(';')[0]?.trim() !== 'application/json') {
      return { status: 415, body: { message: 'Send JSON as application/json.' } }
    }
    const text = await readText(request, bodyMaxBytes)
    if (text === null) return { status: 413, body: { message: 'The body is too long.' } }
    const body = text === '' ? {} : parseJson(text)
    return body === undefined
      ? { status: 400, body: { message: 'The body is not JSON.' } }
      : control(fleet, method, path, body)
  }

  return {
    server,
    async close() {
      events.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

function sendJson(response: ServerResponse, { status, body }: ControlAnswer): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { ...securityHeaders, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

/** Renders an option for each kind of board. */
function modelChoices(): string {
  return Object.values(boardTypes)
    .map(
      ({ deviceCode, title, description }, index) =>
        `<label><input type="radio" name="model" value="${deviceCode}"${index === 0 ? ' checked' : ''} /><span>${title}<small>${description}</small></span></label>`
    )
    .join('\n')
}

function linkToApp(app: URL | null): string {
  return app === null ? '' : `<a class="app" id="app" href="${app.href}">Open the app</a>`
}

function sendFile(response: ServerResponse, method: string, path: string, app: URL | null): void {
  const known = Object.hasOwn(pageFiles, path) ? pageFiles[path] : undefined
  if (known === undefined)
    return sendJson(response, { status: 404, body: { message: 'There is nothing at this address.' } })
  if (method !== 'GET' && method !== 'HEAD')
    return sendJson(response, { status: 405, body: { message: 'Not with this method.' } })
  const text = readFileSync(new URL(`./wall/${known.file}`, import.meta.url), 'utf8')
  const body = Buffer.from(text.replace('<!-- models -->', modelChoices).replace('<!-- app -->', () => linkToApp(app)))
  response.writeHead(200, {
    ...securityHeaders,
    'content-type': `${known.type}; charset=utf-8`,
    'content-length': body.length
  })
  response.end(method === 'HEAD' ? undefined : body)
}
