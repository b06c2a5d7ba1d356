import type { DeviceHistory, DeviceRecord, HealthReason } from '@batti/contracts'
import { msIn, spansOf, type Span } from '#web/lib/charts/spans.ts'
import { hourMs } from '@batti/kit/durations'

/** Figures on which the health reasons are based. */
export interface BoardFigures {
  /** Median of the last hour in dBm; null without a value. */
  medianRssi: number | null
  connectionsOfHour: number
  /** How many of the last 20 commands got no answer. */
  unanswered: number
  commands: number
  /** Counts of the whole window. */
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
  | { id: `board.say.${'silent' | 'outdated' | 'never-seen'}` }
  | { id: `board.say.${'weak' | 'flapping' | 'failing'}Plain` }
  | { id: 'board.say.weak'; values: { rssi: number } }
  | { id: 'board.say.flapping'; values: { count: number } }
  | { id: 'board.say.failing'; values: { count: number; of: number } }
  | { id: 'board.say.wifi'; values: { cuts: number; ofThem: number } }

/**
 * Returns the summary for support: each reason with its figure, worst first, and the likely cause of connection losses.
 * For an offline board it never says that nothing is wrong.
 */
export function sentenceOf(
  health: DeviceRecord['health'],
  figures: BoardFigures | null,
  isOnline: boolean
): SentencePart[] {
  if (health.reasons.length === 0) return isOnline ? [{ id: 'board.say.healthy' }] : []
  const parts = health.reasons.map((reason) => reasonPart(reason, figures))
  // A reconnection without a boot means that the board kept its power: the Wi-Fi failed.
  if (figures !== null && figures.disconnects >= 2) {
    const withoutBoot = Math.max(0, figures.disconnects - figures.boots)
    if (withoutBoot * 2 > figures.disconnects)
      parts.push({ id: 'board.say.wifi', values: { cuts: figures.disconnects, ofThem: withoutBoot } })
  }
  return parts
}

/** Without its figure, which is unknown until the history is there, a reason is told alone. */
function reasonPart(reason: HealthReason, figures: BoardFigures | null): SentencePart {
  switch (reason) {
    case 'weak': {
      const rssi = figures?.medianRssi ?? null
      return rssi === null ? { id: 'board.say.weakPlain' } : { id: 'board.say.weak', values: { rssi } }
    }
    case 'flapping':
      return figures === null
        ? { id: 'board.say.flappingPlain' }
        : { id: 'board.say.flapping', values: { count: figures.connectionsOfHour } }
    case 'failing':
      return figures === null
        ? { id: 'board.say.failingPlain' }
        : { id: 'board.say.failing', values: { count: figures.unanswered, of: figures.commands } }
    default:
      return { id: `board.say.${reason}` }
  }
}
