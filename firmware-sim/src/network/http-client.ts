import { isLocalHost, urlHost } from '@batti/kit/address'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { rootCertificates } from 'node:tls'
import type { Address } from '../device/device-state.ts'

export interface HttpRequest {
  url: URL
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** The server's CA if the board has pinned one; else the public ones are trusted. */
  caPem?: string | null
  /** Time-out for connecting, and between two packets. */
  timeoutMs: number
  signal?: AbortSignal
}

/** Sends one HTTP request like a board's small stack: no redirects, no cookies. Rejects when there is no answer. */
export function sendHttp(request: HttpRequest): Promise<IncomingMessage> {
  const { url, method, headers = {}, body, caPem, timeoutMs, signal } = request
  const options = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
    timeout: timeoutMs,
    agent: false as const,
    ...(caPem ? { ca: [caPem, ...rootCertificates] } : {}),
    ...(signal === undefined ? {} : { signal })
  }
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = open(url, options, resolve)
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    sent.on('error', reject)
    sent.end(body)
  })
}

/**
 * Returns the URL of the server in the setup form. A scheme in the address decides; otherwise plain HTTP is used only in
 * the local network, because the request carries a pairing code.
 */
export function apiUrl({ host, port }: Address, path: string): URL {
  const explicit = /^(https?):\/\/([^/]+?)\/*$/i.exec(host)
  const name = explicit?.[2] ?? host
  const scheme = explicit?.[1]?.toLowerCase() ?? (port !== 443 && port !== 8443 && isLocalHost(name) ? 'http' : 'https')
  return new URL(`${scheme}://${urlHost(name)}:${port}${path.startsWith('/') ? path : `/${path}`}`)
}
