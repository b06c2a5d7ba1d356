import type { Timers } from '@batti/kit/clock'
import type { FlashRecord } from './flash-record.ts'
import type { Flash } from './flash.ts'

/** A board's record while it runs, and when it goes to the flash. */
export type Memory = {
  record(): FlashRecord
  /** What was wrong with the flash at power-up, in a sentence. */
  readonly damage: string | null
  /** Changes the record; on the disk when it returns. */
  keep(change: Partial<FlashRecord>): void
  /** Writes what runs now before long. */
  keepSoon(): void
  /** Writes what still waits. */
  settle(): void
  /** The power is gone: what waits is lost. */
  lose(): void
}

/** Relays move often and flash wears out: their state is written at most this often. */
const lazySaveMs = 2000

/** `live` tells the parts of the record that the running board holds newer than the record does. */
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

  return {
    record: () => record,
    damage: loaded.damage,
    keep: (change) => write(change, true),
    keepSoon() {
      planned ??= clock.after(lazySaveMs, () => write({}, false))
    },
    settle() {
      if (planned !== null) write({}, false)
    },
    lose() {
      planned?.()
      planned = null
    }
  }
}
