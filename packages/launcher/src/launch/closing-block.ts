import type { PartName } from '../parts/parts.ts'

export interface Account {
  role: 'user' | 'admin' | 'monitor'
  email: string
  password: string
}

/** The facts that a user needs about a running product. */
export interface Summary {
  web: string
  broker: string
  /** The address that boards connect to, if a setting names it; null for `broker`. */
  publicBroker: string | null
  /** The CA file that clients of the broker must trust; null for a certificate of a public authority. */
  ca: string | null
  outbox: string | null
  wall: string | null
  accounts: readonly Account[]
  pids: Readonly<Record<Exclude<PartName, 'web' | 'home'>, number | null>>
  data: string
  /** The address for other machines, and its QR code for the terminal; null on loopback. */
  house: { url: string; qr: string; isPublic: boolean } | null
  /** The api's own address, when it differs from the web app's. */
  api: string | null
  notes: readonly string[]
}

/** Formats the single line of `--json`. */
export function jsonLine(summary: Summary): string {
  const { web, broker, ca, outbox, accounts, pids, wall, data } = summary
  return JSON.stringify({ web, broker, ca, outbox, accounts, pids, wall, data })
}

/** Formats the text block at the end of a start. */
export function closingBlock(summary: Summary): string {
  const { house, notes, accounts } = summary
  const rows: [string, string | null][] = [
    ['Web app', summary.web],
    ['Api reference', `${summary.web.replace(/\/$/, '')}/docs`],
    [house?.isPublic === true ? 'Public address' : 'In your network', house?.url ?? null],
    ['Api', summary.api],
    ['Outbox', summary.outbox === null ? null : `${summary.outbox}   (mails and text messages)`],
    ['Boards', summary.wall === null ? null : `${summary.wall}   (the simulated wall)`],
    ['Broker', `${summary.publicBroker ?? summary.broker}${summary.ca === null ? '' : `   (CA: ${summary.ca})`}`],
    ['Data', summary.data]
  ]
  const width = Math.max(...accounts.map(({ email }) => email.length), 0)
  return [
    '',
    '  Batti is up.',
    '',
    ...rows.flatMap(([title, value]) => (value === null ? [] : [`  ${title.padEnd(16)} ${value}`])),
    '',
    ...accounts.map(
      ({ role, email, password }) => `  ${`Log in (${role})`.padEnd(16)} ${email.padEnd(width)}   ${password}`
    ),
    ...(accounts.length > 0 ? [''] : []),
    ...(house === null ? [] : [indent(house.qr), '']),
    ...notes.flatMap((note) => [`  ${note}`, '']),
    '  Ctrl-C stops everything.',
    ''
  ].join('\n')
}

const indent = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
