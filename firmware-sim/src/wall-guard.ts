import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Why a request to the wall is refused, or null. The wall has no log-in: it trusts the machine it runs on. So it must not
 * be reachable through a browser's back door: a name of a stranger's that points here (DNS rebinding), or a page of a
 * stranger's that posts here.
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

/** An address in digits cannot be re-pointed; of names, only this machine's own and the one we were told to listen at. */
function isOurName(host: string, boundHost: string): boolean {
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return isIP(name) !== 0 || name === 'localhost' || name === boundHost.toLowerCase()
}
