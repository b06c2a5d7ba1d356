/**
 * Normalizes, groups and classifies hosts and addresses. Text in, text out, so that server, board and browser share the
 * same rules.
 */

/** Returns the eight groups of an IPv6 address; null when the text is none. */
function groupsOf(text: string): number[] | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (dotted !== null) {
    const bytes = bytesOf(dotted[2] ?? '')
    if (bytes === null) return null
    const [a = 0, b = 0, c = 0, d = 0] = bytes
    return groupsOf(`${dotted[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`)
  }
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  if (![...head, ...tail].every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  return [...head, ...Array.from({ length: missing }, () => '0'), ...tail].map((group) => Number.parseInt(group, 16))
}

/** Returns the four bytes of an IPv4 address; null when the text is none. */
function bytesOf(text: string): number[] | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

const bare = (host: string): string =>
  host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
    .toLowerCase()

/**
 * Normalizes a host: without brackets and zone, in lower case; IPv4-mapped IPv6 (`::ffff:192.0.2.1`) as IPv4; other IPv6
 * without redundant zeros (and `::` for all zeros, as Node writes it).
 */
export function plainAddress(host: string): string {
  const text = bare(host)
  const groups = groupsOf(text)
  if (groups === null) return text
  const mapped = mappedIpv4(groups)
  return mapped ?? shortest(groups)
}

function mappedIpv4(groups: readonly number[]): string | null {
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Formats IPv6 as in RFC 5952: the longest run of two or more zero groups becomes `::`, the first one of equal length. */
function shortest(groups: readonly number[]): string {
  let [from, length] = [0, 1]
  for (let start = 0; start < 8; start += 1) {
    let end = start
    while (groups[end] === 0) end += 1
    if (end - start > length) [from, length] = [start, end - start]
  }
  const written = groups.map((group) => group.toString(16))
  if (length < 2) return written.join(':')
  return `${written.slice(0, from).join(':')}::${written.slice(from + length).join(':')}`
}

/**
 * Returns the unit that limits, blocks and logs treat as one client: an IPv4 address, or the /64 of an IPv6 host. Idempotent:
 * the group of a group is itself.
 */
export function addressGroup(address: string): string {
  const plain = plainAddress(address)
  const groups = isLoopback(plain) ? null : groupsOf(plain)
  if (groups === null) return plain
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** Tells whether the host is this machine itself. Such an address is useless to another machine. */
export function isLoopback(host: string): boolean {
  const plain = plainAddress(host)
  return plain === 'localhost' || plain.endsWith('.localhost') || plain === '::1' || bytesOf(plain)?.[0] === 127
}

/** Names that no public DNS server resolves: single labels, or below a top-level domain reserved for local networks. */
const localName = /^(?:[a-z](?:[a-z0-9-]*[a-z0-9])?|(?:[a-z0-9-]+\.)+(?:local|lan|home|internal|home\.arpa|test))$/

/** Tells whether a host is local: a loopback, private, shared or link-local address, or a local name. */
export function isLocalHost(host: string): boolean {
  const plain = plainAddress(host)
  if (isLoopback(plain)) return true
  const groups = groupsOf(plain)
  // Unique local fc00::/7 and link-local fe80::/10.
  if (groups !== null) return ((groups[0] ?? 0) & 0xfe00) === 0xfc00 || ((groups[0] ?? 0) & 0xffc0) === 0xfe80
  const bytes = bytesOf(plain)
  if (bytes === null) return plain.length <= 253 && localName.test(plain)
  const [a = 0, b = 0] = bytes
  return (
    a === 10 ||
    (a === 192 && b === 168) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127)
  )
}

/**
 * Formats a host for a URL: IPv6 in brackets and without its zone, which no URL takes; the wildcard address as loopback, to
 * which this machine can connect.
 */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  const unzoned = host.replace(/%.*$/, '')
  return groupsOf(unzoned) === null ? host : `[${unzoned}]`
}

/**
 * Parses user input (with or without `http://`) as `HOST` or `HOST:PORT` of a plain-HTTP server in the local network.
 * Returns null for everything else, such as a user name, a path or https.
 */
export function localHttpHost(text: string): string | null {
  const trimmed = text.trim()
  if (/^https:/i.test(trimmed)) return null
  const withScheme = /^http:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  const url = parsedUrl(withScheme)
  if (url === null) return null
  const isBare =
    url.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === ''
  // `URL` resolves unusual spellings (0x7f.1, 2130706433). The resulting address is the one that is checked and returned.
  return isBare && isLocalHost(url.hostname) ? url.host : null
}

/** Older browsers have neither `URL.canParse` nor `URL.parse`. */
function parsedUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
