import type { AuditChange } from '@batti/contracts'

const longest = 200
/** Stored fields that nobody may read, with their names for people. */
const secrets = new Map([
  ['passwordHash', 'password'],
  ['wifiPassword', 'wifiPassword'],
  ['credentialHash', 'credential'],
  ['pendingHash', 'credential']
])

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the fields that differ. A new record has `before: null` everywhere, a deleted one `after: null`. Secrets have
 * both null, and long values are cut.
 */
export function changesOf(before: Fields | null, after: Fields | null): AuditChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].flatMap((field) => {
    const [from, to] = [plain(before?.[field]), plain(after?.[field])]
    const isKept = before !== null && after !== null && JSON.stringify(from) === JSON.stringify(to)
    const isNothing = from === null && to === null
    if (isKept || (isNothing && before !== null && after !== null)) return []
    const secret = secrets.get(field)
    if (secret !== undefined) return isNothing ? [] : [{ field: secret, before: null, after: null }]
    return [{ field, before: cut(from), after: cut(to) }]
  })
}

/** Converts to JSON: dates and ids become text, undefined becomes null. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= longest ? value : `${text.slice(0, longest - 1)}…`
}
