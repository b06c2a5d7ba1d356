import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Returns why a request to the wall is refused, or null. The wall has no login: it trusts the machine it runs on. So a
 * browser must not give others access: by a foreign name that resolves to this machine (DNS rebinding), or by a foreign
 * page that posts here (CSRF).
 */
export function refusalOf(request: IncomingMessage, boundHost: string): string | null {
  const { host, origin } = request.headers
  if (host === undefined || !isOurName(host, boundHost)) return 'This address is not the wall’s.'
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (origin !== undefined && origin !== `http://${host}` && !isRead) return 'Another site may not press buttons here.'
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' && !isRead) return 'Another site may not press buttons here.'
  return null
}

/** An IP address is safe from rebinding. Of names, only this machine's own and the configured one are accepted. */
function isOurName(host: string, boundHost: string): boolean {
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return isIP(name) !== 0 || name === 'localhost' || name === boundHost.toLowerCase()
}
