import { deviceFilter, type BulkSettings, type DeviceFilter } from '@batti/contracts'

export type BulkKind = 'room' | 'colour' | 'zone' | 'server'
/** Boards by name, or all of a filter. */
export type BulkTarget = { deviceIds: string[] } | { filter: DeviceFilter }

/** What is typed and chosen in the dialog; each kind reads its own. */
export interface BulkDraft {
  /** '' for no room. */
  room: string
  colour: string
  zone: string
  server: 'api' | 'mqtt'
  host: string
  port: string
}

/** The setting that a draft stands for; null while something is missing. */
export function bulkSetOf(kind: BulkKind, draft: BulkDraft): BulkSettings | null {
  if (kind === 'room') return { setRoom: draft.room === '' ? null : draft.room }
  if (kind === 'colour') return draft.colour.trim() === '' ? null : { activeColor: draft.colour.trim() }
  if (kind === 'zone') return draft.zone.trim() === '' ? null : { timezone: draft.zone.trim() }
  const host = draft.host.trim()
  const port = Number(draft.port)
  if (host === '' || !Number.isInteger(port) || port < 1 || port > 65_535) return null
  return { [draft.server]: { host, port } }
}

/** What the list was asked for, as the filter of a bulk call: without its order. */
export function filterOf(query: Readonly<Record<string, unknown>>): DeviceFilter {
  return deviceFilter.parse(query)
}

/** The address of a new rollout says which boards it is for: by name, or by the filter of the list. */
export function rolloutQuery(target: BulkTarget): string {
  const query =
    'deviceIds' in target
      ? { deviceIds: target.deviceIds.join(',') }
      : Object.fromEntries(Object.entries(target.filter).map(([name, value]) => [name, String(value)]))
  return new URLSearchParams(query).toString()
}

/** The one owner of these boards; null where there are several, or one has none. */
export function oneOwnerOf(boards: readonly { userId: { _id: string } | null }[]): string | null {
  const owners = new Set(boards.map(({ userId }) => userId?._id ?? null))
  const [first = null] = owners
  return owners.size === 1 ? first : null
}
