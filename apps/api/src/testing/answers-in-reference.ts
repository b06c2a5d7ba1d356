import type { Server, ServerResponse } from 'node:http'
import { errorsByStatus, routeErrors } from '@batti/contracts/http/route-errors'
import { allRoutes } from '@batti/contracts/routes'

const statusesOf = new Map(
  allRoutes.map(({ route }) => [
    `${route.method.toUpperCase()} ${route.path}`,
    new Set([
      route.status ?? 200,
      ...(route.previewAnswer === undefined ? [] : [200]),
      ...errorsByStatus(routeErrors(route)).map(([status]) => status)
    ])
  ])
)

/** Watches the answers of a server. The returned function throws if one had a status that the reference does not list. */
export function watchAnswers(server: Server): () => void {
  const unnamed = new Set<string>()
  server.on('request', (request, response: ServerResponse & { locals?: Record<string, unknown> }) => {
    response.once('finish', () => {
      const call = `${request.method === 'HEAD' ? 'GET' : request.method} ${String(response.locals?.['route'])}`
      const { statusCode } = response
      if (statusesOf.get(call)?.has(statusCode) === false) unnamed.add(`${call} answered ${statusCode}`)
    })
  })
  return () => {
    if (unnamed.size > 0) throw new Error(`The reference does not name: ${[...unnamed].join('; ')}`)
  }
}
