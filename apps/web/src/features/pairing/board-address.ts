/** Where a board that is being set up answers: always plain http, in the local network. */
export const defaultBoardHost = '192.168.4.1'

const isByte = (text: string) => /^\d{1,3}$/.test(text) && Number(text) <= 255

function isLocalIpv4(host: string): boolean {
  const parts = host.split('.')
  if (parts.length !== 4 || !parts.every(isByte)) return false
  const [a = 0, b = 0] = parts.map(Number)
  return (
    a === 10 || a === 127 || (a === 192 && b === 168) || (a === 172 && b >= 16 && b <= 31) || (a === 169 && b === 254)
  )
}

function isLocalIpv6(host: string): boolean {
  const address = host.toLowerCase()
  // Loopback, unique local fc00::/7, link-local fe80::/10.
  return address === '::1' || /^f[cd][0-9a-f]{2}:/.test(address) || /^fe[89ab][0-9a-f]:/.test(address)
}

/** Private, link-local, loopback, or a name that only the local network resolves (`.local`). */
export function isLocalHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return (
    bare === 'localhost' || /^[a-z0-9-]+(\.[a-z0-9-]+)*\.local$/i.test(bare) || isLocalIpv4(bare) || isLocalIpv6(bare)
  )
}

/**
 * `HOST` or `HOST:PORT` of a board from what somebody typed (with or without `http://`), or null when it is no address
 * in the local network: the Wi-Fi password must not travel anywhere else. A user name, a path or https is refused.
 */
export function parseBoardAddress(text: string): string | null {
  const trimmed = text.trim()
  if (/^https:/i.test(trimmed)) return null
  const withScheme = /^http:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  if (!URL.canParse(withScheme)) return null
  const url = new URL(withScheme)
  const isBare =
    url.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === ''
  // `URL` reads odd spellings (0x7f.1, 2130706433) as the address they mean; it is that address which is judged and used.
  return isBare && isLocalHost(url.hostname) ? url.host : null
}

/** The board's address of the page: `?board=HOST:PORT` when that is local, else the one that boards have by default. */
export function boardAddressOf(search: string): string {
  return parseBoardAddress(new URLSearchParams(search).get('board') ?? '') ?? defaultBoardHost
}
