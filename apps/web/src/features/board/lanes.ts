import type { DeviceHistory } from '@batti/contracts'
import { spansOf, type Span } from '#web/lib/charts/spans.ts'

/** Returns the position of a time in a window, 0 to 1. */
export const placeOf = (at: number, { from, to }: Span): number =>
  to <= from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)))

/**
 * Extends the open presence span to the window's end, as the server ends it at the time of its answer. `onlineSince` is
 * null for a board that is offline.
 */
export function withOpenEnd(history: DeviceHistory, window: Span, onlineSince: number | null): DeviceHistory {
  const last = history.presence.at(-1)
  if (last === undefined || onlineSince === null || Date.parse(last[1]) <= onlineSince) return history
  const running: [string, string] = [last[0], new Date(window.to).toISOString()]
  return { ...history, presence: [...history.presence.slice(0, -1), running] }
}

/** Returns an SVG path of the signal in a box of 1000 x 100, interrupted where values are more than `gapMs` apart. */
export function signalPath(
  rssi: DeviceHistory['rssi'],
  window: Span,
  { low, high, gapMs }: { low: number; high: number; gapMs: number }
): string {
  let before: number | null = null
  return rssi
    .map(({ at, value }) => ({ at: Date.parse(at), value }))
    .filter(({ at }) => at >= window.from && at <= window.to)
    .map(({ at, value }) => {
      const isBroken = before === null || at - before > gapMs
      before = at
      const y = 100 * (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low))
      return `${isBroken ? 'M' : 'L'}${round(placeOf(at, window) * 1000)} ${round(y)}`
    })
    .join(' ')
}

const round = (value: number) => Math.round(value * 10) / 10

export interface Reading {
  at: number
  isOnline: boolean
  /** The span, online or offline, that contains the time. */
  since: number | null
  until: number | null
  rssi: number | null
  command: DeviceHistory['commands'][number] | null
  isBoot: boolean
}

/** Reads all four lanes at one time, for the crosshair. `nearMs`: the maximum distance of a point. */
export function readAt(
  history: DeviceHistory,
  at: number,
  { window, nearMs }: { window: Span; nearMs: number }
): Reading {
  const spans = spansOf(history.presence)
  const inside = spans.find(({ from, to }) => at >= from && at <= to)
  const near = <Item>(items: readonly Item[], timeOf: (item: Item) => number): Item | null => {
    const [closest] = items.toSorted((a, b) => Math.abs(timeOf(a) - at) - Math.abs(timeOf(b) - at))
    return closest === undefined || Math.abs(timeOf(closest) - at) > nearMs ? null : closest
  }
  const gapFrom = spans.filter(({ to }) => to < at).at(-1)?.to ?? null
  const gapTo = spans.find(({ from }) => from > at)?.from ?? null
  return {
    at,
    isOnline: inside !== undefined,
    since: inside === undefined ? gapFrom : inside.from > window.from ? inside.from : null,
    until: inside === undefined ? gapTo : inside.to < window.to ? inside.to : null,
    rssi: near(history.rssi, (point) => Date.parse(point.at))?.value ?? null,
    command: near(history.commands, (command) => Date.parse(command.at)),
    isBoot: near(history.boots, (boot) => Date.parse(boot)) !== null
  }
}
