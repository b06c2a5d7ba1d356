import type { DeviceHistory, DeviceRecord } from '@batti/contracts'
import { msIn, spansOf, type Span } from '#web/lib/charts/spans.ts'

const hourMs = 3_600_000

/** Figures of the last hour, and of the last commands: what a reason of health rests on. */
export interface BoardFigures {
  /** Median of the last hour, dBm; null where nothing was measured. */
  medianRssi: number | null
  connectionsOfHour: number
  /** Of the last 20 commands, those that nobody answered. */
  unanswered: number
  commands: number
  /** Of the window that was read. */
  disconnects: number
  boots: number
  /** Share of the window, 0 to 1. */
  onlineShare: number
}

export function figuresOf(history: DeviceHistory, window: Span): BoardFigures {
  const since = window.to - hourMs
  const values = history.rssi.filter(({ at }) => Date.parse(at) >= since).map(({ value }) => value)
  const spans = spansOf(history.presence)
  const last = history.commands.slice(0, 20)
  return {
    medianRssi: medianOf(values),
    connectionsOfHour: spans.filter(({ from }) => from >= since && from > window.from).length,
    unanswered: last.filter(({ result }) => result === 'expired').length,
    commands: last.length,
    disconnects: spans.filter(({ to }) => to < window.to).length,
    boots: history.boots.length,
    onlineShare: window.to <= window.from ? 0 : msIn(spans, window) / (window.to - window.from)
  }
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted.length === 0 ? null : (sorted[Math.floor((sorted.length - 1) / 2)] ?? null)
}

export type SentencePart =
  | { id: 'board.say.healthy' }
  | { id: 'board.say.silent' | 'board.say.outdated' | 'board.say.never-seen' }
  | { id: 'board.say.weak'; values: { rssi: number } }
  | { id: 'board.say.flapping'; values: { count: number } }
  | { id: 'board.say.failing'; values: { count: number; of: number } }
  | { id: 'board.say.wifi'; values: { cuts: number; ofThem: number } }

/**
 * What one would say on the phone: each reason with its figure, worst first, and what the cuts point to. Of a board that
 * is offline nobody says that nothing is wrong.
 */
export function sentenceOf(
  health: DeviceRecord['health'],
  figures: BoardFigures | null,
  isOnline: boolean
): SentencePart[] {
  if (health.reasons.length === 0) return isOnline ? [{ id: 'board.say.healthy' }] : []
  const parts = health.reasons.map((reason): SentencePart => {
    if (reason === 'weak') return { id: 'board.say.weak', values: { rssi: figures?.medianRssi ?? 0 } }
    if (reason === 'flapping') return { id: 'board.say.flapping', values: { count: figures?.connectionsOfHour ?? 0 } }
    if (reason === 'failing')
      return { id: 'board.say.failing', values: { count: figures?.unanswered ?? 0, of: figures?.commands ?? 0 } }
    return { id: `board.say.${reason}` }
  })
  // A board that comes back without having started anew kept its power: it was the Wi-Fi.
  if (figures !== null && figures.disconnects >= 2) {
    const withoutBoot = Math.max(0, figures.disconnects - figures.boots)
    if (withoutBoot * 2 > figures.disconnects)
      parts.push({ id: 'board.say.wifi', values: { cuts: figures.disconnects, ofThem: withoutBoot } })
  }
  return parts
}
