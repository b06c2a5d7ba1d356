import { brokerClientsPath, type BrokerClient } from '@batti/contracts'
import { constantTimeEqual } from '@batti/kit/node/constant-time-equal'
import http from 'node:http'
import { z } from 'zod'
import type { Session, Sessions } from './mqtt/sessions.ts'

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).catch(100),
  page: z.coerce.number().int().min(1).catch(1),
  clientid: z.string().optional(),
  username: z.string().optional(),
  ip_address: z.string().optional()
})

export interface ManagementDeps {
  readonly secret: string
  readonly sessions: Sessions
  readonly metrics: { contentType: string; text: () => Promise<string> }
  /** False while the broker cannot take boards. */
  readonly healthy: () => boolean
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly text?: { type: string; text: string }
}

/**
 * The part of EMQX's client management API that the api uses: `GET {clients}?limit=&page=` with EMQX's filters by
 * `clientid`, `username`, `ip_address`; `GET` and `DELETE {clients}/{clientid}`. These need the bearer secret; `/healthz` and
 * `/metrics` do not.
 */
export function createManagementApi(deps: ManagementDeps): http.Server {
  async function answer(method: string, url: URL, authorization: string | undefined): Promise<Answer> {
    const reads = method === 'GET' || method === 'HEAD'
    if (url.pathname === '/healthz' && reads) {
      return deps.healthy() ? { status: 200, body: { status: 'ok' } } : { status: 503, body: { status: 'stopping' } }
    }
    if (url.pathname === '/metrics' && reads) {
      return { status: 200, text: { type: deps.metrics.contentType, text: await deps.metrics.text() } }
    }
    if (!constantTimeEqual(authorization?.replace(/^Bearer /i, '') ?? '', deps.secret)) {
      return fault(401, 'UNAUTHORIZED', 'The bearer secret is missing or wrong')
    }
    if (url.pathname === brokerClientsPath)
      return reads ? list(url) : fault(405, 'METHOD_NOT_ALLOWED', 'GET lists the clients')
    const clientId = clientIdOf(url.pathname)
    if (clientId === null) return fault(404, 'NOT_FOUND', 'No such path')
    if (method === 'DELETE') return deps.sessions.revoke(clientId) ? { status: 204 } : noClient
    if (!reads) return fault(405, 'METHOD_NOT_ALLOWED', 'GET shows, DELETE closes a client')
    const session = deps.sessions.get(clientId)
    return session === undefined ? noClient : { status: 200, body: present(session) }
  }

  function list(url: URL): Answer {
    const {
      limit,
      page,
      clientid,
      username,
      ip_address: address
    } = listQuery.parse(Object.fromEntries(url.searchParams))
    const found = [...deps.sessions.all()].filter(
      (one) =>
        (clientid === undefined || one.clientId === clientid) &&
        (username === undefined || one.username === username) &&
        (address === undefined || one.peerhost === address)
    )
    const data = found.slice((page - 1) * limit, page * limit).map(present)
    return { status: 200, body: { data, meta: { count: found.length, page, limit } } }
  }

  const server = http.createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://broker')
    const answered = url === null ? badPath() : answer(request.method ?? 'GET', url, request.headers.authorization)
    // No endpoint needs a request body. Discard it, so that the connection can be reused.
    request.resume()
    answered.then(
      (given) => send(response, given),
      () => send(response, fault(500, 'INTERNAL_ERROR', 'The broker could not answer'))
    )
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 10_000
  return server
}

const fault = (status: number, code: string, message: string): Answer => ({ status, body: { code, message } })
const noClient = fault(404, 'CLIENTID_NOT_FOUND', 'Client ID not found')
const badPath = async (): Promise<Answer> => fault(400, 'BAD_REQUEST', 'The path cannot be read')

function clientIdOf(pathname: string): string | null {
  if (!pathname.startsWith(`${brokerClientsPath}/`)) return null
  try {
    return decodeURIComponent(pathname.slice(brokerClientsPath.length + 1))
  } catch {
    return null
  }
}

function present(session: Session): BrokerClient {
  return {
    clientid: session.clientId,
    username: session.username,
    ip_address: session.peerhost,
    connected: true,
    connected_at: new Date(session.connectedAt).toISOString(),
    keepalive: session.keepaliveS
  }
}

function send(response: http.ServerResponse, { status, body, text }: Answer): void {
  const content = text?.text ?? (body === undefined ? '' : JSON.stringify(body))
  const type = text?.type ?? 'application/json'
  response.writeHead(
    status,
    content === '' ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(content) }
  )
  response.end(content)
}
