import type { Timers } from '@batti/kit/clock'
import type { FlashRecord } from './flash-record.ts'
import type { Flash } from './flash.ts'

/** The record of a running board. It decides when the record is written to the flash. */
export interface Memory {
  record(): FlashRecord
  /** A sentence about a damaged flash at power-up, or null. */
  readonly damage: string | null
  /** Changes the record, which is on the disk when this returns. */
  keep(change: Partial<FlashRecord>): void
  /** Schedules a write of the live state. */
  keepSoon(): void
  /** Performs a scheduled write at once, if there is room for it. */
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

  /** Returns false where the machine has no room, which is no fault of the board: its relays keep their state. */
  function tryWrite(): boolean {
    try {
      write({}, false)
      return true
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      return false
    }
  }

  function writeSoon(): void {
    planned ??= clock.after(lazySaveMs, () => {
      if (!tryWrite()) writeSoon()
    })
  }

  return {
    record: () => record,
    damage: loaded.damage,
    keep: (change) => write(change, true),
    keepSoon: writeSoon,
    settle() {
      if (planned !== null) tryWrite()
    },
    lose() {
      planned?.()
      planned = null
    }
  }
}
