import type { Timers } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { z } from 'zod'

const share = z.number().min(0).max(1)

/**
 * Injected faults of updates: the image arrives damaged, the connection breaks during the download, the power is cut before
 * the installation, the new version never reaches the server, falls silent after it did, or answers commands too late.
 */
const updateFaults = ['none', 'bad-image', 'broken-line', 'power-cut', 'boot-fails', 'silent', 'slower'] as const

/** Injected faults of a board. Shares are 0 to 1. By default there are no faults. */
const faultSettings = z.object({
  /** Added to every message in both directions, milliseconds; `jitterMs` adds up to that much more. */
  latencyMs: z
    .number()
    .min(0)
    .max(10 * minuteMs),
  jitterMs: z
    .number()
    .min(0)
    .max(10 * minuteMs),
  /** Shares of lost messages: commands and settings to the board, the server's acknowledgements, the board's reports. */
  commandLoss: share,
  ackLoss: share,
  reportLoss: share,
  /** How many extra copies of each report are sent. */
  duplicates: z.int().min(0).max(20),
  /** Reports leave in groups of this many, shuffled; 0 and 1 keep the order. */
  reorder: z.int().min(0).max(100),
  /** Receives commands, but neither answers nor changes anything. */
  silent: z.boolean(),
  /** Has power, but no network. */
  offline: z.boolean(),
  /** The fault of the next updates. */
  update: z.enum(updateFaults)
})
export type FaultSettings = z.infer<typeof faultSettings>
export const faultPatch = faultSettings.partial()
export type FaultPatch = z.infer<typeof faultPatch>
export const noFaults: FaultSettings = {
  latencyMs: 0,
  jitterMs: 0,
  commandLoss: 0,
  ackLoss: 0,
  reportLoss: 0,
  duplicates: 0,
  reorder: 0,
  silent: false,
  offline: false,
  update: 'none'
}

/** A group of reordered reports is sent after this time at the latest. */
const reorderHoldMs = 500

export interface Faults {
  settings(): FaultSettings
  change(patch: FaultPatch): void
  /** Delivers one message from the server at once, later, or never. Calls `lost` with the reason when it is lost. */
  inbound(isAck: boolean, deliver: () => void, lost: (why: string) => void): void
  /** The same for one message to the server, which may also be delivered several times. */
  outbound(isReport: boolean, deliver: () => void, lost: (why: string) => void): void
}

export function createFaults(clock: Timers, random: () => number, initial: FaultPatch = {}): Faults {
  let settings = faultSettings.parse({ ...noFaults, ...initial })
  let held: (() => void)[] = []

  function later(deliver: () => void): void {
    const { latencyMs, jitterMs } = settings
    if (latencyMs === 0 && jitterMs === 0) deliver()
    else clock.after(latencyMs + random() * jitterMs, deliver)
  }

  function releaseHeld(): void {
    const window = held
    held = []
    for (const deliver of shuffled(window, random)) later(deliver)
  }

  function hold(deliver: () => void): void {
    held.push(deliver)
    if (held.length >= settings.reorder) releaseHeld()
    else if (held.length === 1) clock.after(reorderHoldMs, releaseHeld)
  }

  return {
    settings: () => settings,
    change(patch) {
      settings = faultSettings.parse({ ...settings, ...patch })
      if (settings.reorder < 2) releaseHeld()
    },
    inbound(isAck, deliver, lost) {
      if (!isAck && settings.silent) return lost('silent')
      if (random() < (isAck ? settings.ackLoss : settings.commandLoss)) return lost('lost')
      later(deliver)
    },
    outbound(isReport, deliver, lost) {
      if (!isReport) return later(deliver)
      for (let copy = 0; copy <= settings.duplicates; copy += 1) {
        if (random() < settings.reportLoss) lost('lost')
        else if (settings.reorder > 1) hold(deliver)
        else later(deliver)
      }
    }
  }
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
