import type { Timers } from '@batti/kit/clock'
import type { FlashRecord } from './flash-record.ts'
import type { Flash } from './flash.ts'

/** The record of a running board. It decides when the record is written to the flash. */
export type Memory = {
  record(): FlashRecord
  /** A sentence about a damaged flash at power-up, or null. */
  readonly damage: string | null
  /** Changes the record, which is on the disk when this returns. */
  keep(change: Partial<FlashRecord>): void
  /** Schedules a write of the live state. */
  keepSoon(): void
  /** Performs a scheduled write at once. */
  settle(): void
  /** Drops a scheduled write, as a power cut does. */
  lose(): void
}

/** Minimum interval between writes of the relay states. Relays switch often, and flash wears out. */
const lazySaveMs = 2000

/** `live` returns the parts of the record that the running board has in a newer version. */
export function createMemory(flash: Flash, clock: Timers, live: () => Partial<FlashRecord>): Memory {
  const loaded = flash.load()
  let { record } = loaded
  let planned: (() => void) | null = null

  function write(change: Partial<FlashRecord>, durable: boolean): void {
    record = { ...record, ...live(), ...change }
    planned?.()
    planned = null
    flash.save(record, durable)
  }

  function writeSoon(): void {
    planned ??= clock.after(lazySaveMs, () => {
      try {
        write({}, false)
      } catch (error) {
        // The machine may have no room, which is no fault of the board: its relays keep their state, and it tries again.
        if (!(error instanceof Error && 'code' in error)) throw error
        writeSoon()
      }
    })
  }

  return {
    record: () => record,
    damage: loaded.damage,
    keep: (change) => write(change, true),
    keepSoon: writeSoon,
    settle() {
      if (planned !== null) write({}, false)
    },
    lose() {
      planned?.()
      planned = null
    }
  }
}
