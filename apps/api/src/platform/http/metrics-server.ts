import { metricsPath } from '@batti/contracts'
import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.ts'

/** Serves metrics for Prometheus, on an address that clients and boards cannot reach. It does not listen yet. */
export function createMetricsServer({ contentType, text }: Pick<Metrics, 'contentType' | 'text'>): Server {
  const server = createServer((request, response) => {
    request.resume()
    const isAsked = URL.parse(request.url ?? '', 'http://metrics')?.pathname === metricsPath
    if (!isAsked || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    text().then(
      (figures) => response.writeHead(200, { 'content-type': contentType }).end(figures),
      () => response.writeHead(500).end()
    )
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 10_000
  return server
}
