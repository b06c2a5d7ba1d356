import { deviceFilter, latinDigits, type BulkSettings, type DeviceFilter } from '@batti/contracts'

export type BulkKind = 'room' | 'colour' | 'zone' | 'server'
/** Boards by id, or all that match a filter. */
export type BulkTarget = { deviceIds: string[] } | { filter: DeviceFilter }

/** The values of the dialog; each kind uses its own. */
export interface BulkDraft {
  /** '' for no room. */
  room: string
  colour: string
  zone: string
  server: 'api' | 'mqtt'
  host: string
  port: string
}

/** Returns the settings of a draft; null while it is incomplete. */
export function bulkSetOf(kind: BulkKind, draft: BulkDraft): BulkSettings | null {
  if (kind === 'room') return { setRoom: draft.room === '' ? null : draft.room }
  if (kind === 'colour') return draft.colour.trim() === '' ? null : { activeColor: draft.colour.trim() }
  if (kind === 'zone') return draft.zone.trim() === '' ? null : { timezone: draft.zone.trim() }
  const host = draft.host.trim()
  const port = Number(latinDigits(draft.port))
  if (host === '' || !Number.isInteger(port) || port < 1 || port > 65_535) return null
  return { [draft.server]: { host, port } }
}

/** Converts the list's query to the filter of a bulk call, without its sort order. */
export function filterOf(query: Readonly<Record<string, unknown>>): DeviceFilter {
  return deviceFilter.parse(query)
}

/** Returns the query of a new rollout's address: boards by id, or the list's filter. */
export function rolloutQuery(target: BulkTarget): string {
  const query =
    'deviceIds' in target
      ? { deviceIds: target.deviceIds.join(',') }
      : Object.fromEntries(Object.entries(target.filter).map(([name, value]) => [name, String(value)]))
  return new URLSearchParams(query).toString()
}

/** Returns the common owner of the boards; null if there are several, or one board has none. */
export function oneOwnerOf(boards: readonly { userId: { _id: string } | null }[]): string | null {
  const owners = new Set(boards.map(({ userId }) => userId?._id ?? null))
  const [first = null] = owners
  return owners.size === 1 ? first : null
}
