import { apiBasePath, idempotencyHeader } from '@batti/contracts'
import { bodyOf, pathOf, type CallableRoute, type CallOptions } from './request.ts'
import type { HttpAnswer, Transport } from './transport.ts'

export interface SendParts {
  transport: Transport
  /** The server's origin; '' for a page served from it. */
  base: string
  token: string | null
  accept?: 'application/json' | 'text/csv'
}

/** Sends a call once and returns the unparsed answer. */
export function send(
  { transport, base, token, accept = 'application/json' }: SendParts,
  route: CallableRoute,
  options: CallOptions<CallableRoute>
): Promise<HttpAnswer> {
  const { body, contentType } = bodyOf(route, options)
  const headers: Record<string, string> = { accept }
  if (contentType !== null) headers['content-type'] = contentType
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  // A browser sends a request again by itself if its connection breaks: the server recognizes it by this name.
  if (route.method === 'post') headers[idempotencyHeader] = crypto.getRandomValues(new Uint32Array(4)).join('-')
  return transport({
    method: route.method,
    url: base + apiBasePath + pathOf(route, options),
    headers,
    body,
    ...(options.signal && { signal: options.signal }),
    ...(options.onUploadProgress && { onUploadProgress: options.onUploadProgress }),
    ...(options.onLines && { onLines: options.onLines })
  })
}
