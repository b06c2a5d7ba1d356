import type { Clock } from '@batti/kit/clock'
import type { BoardPhase } from './board-view.ts'
import type { History } from './history.ts'

/** Tracks the phase of a board between power-up and online, with the reason for it. */
export function createPhase(clock: Clock, history: History, changed: () => void) {
  let phase: BoardPhase = 'booting'
  let detail: string | null = null
  return {
    get: () => phase,
    status: () => ({ phase, detail }),
    enter(next: BoardPhase, why: string | null = null): void {
      if (next !== phase) history.add({ at: clock.now(), kind: 'event', what: why === null ? next : `${next}: ${why}` })
      phase = next
      detail = why
      changed()
    }
  }
}

export type Phase = ReturnType<typeof createPhase>
