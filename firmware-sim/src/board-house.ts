import { createSemaphore, type Semaphore } from '@batti/kit/semaphore'
import { createClock, type Clock } from './clock.ts'
import { createTlsContexts, type TlsContexts } from './tls-contexts.ts'

/** What the boards of one process share. */
export type BoardHouse = {
  readonly clock: Clock
  readonly random: () => number
  readonly gate: Semaphore
  readonly tls: TlsContexts
}

/** Connecting costs both ends a TLS handshake: a few at a time keep the machine responsive. */
const connectsAtOnce = 8

export function createBoardHouse(parts: Partial<BoardHouse> = {}): BoardHouse {
  return {
    clock: parts.clock ?? createClock(),
    random: parts.random ?? Math.random,
    gate: parts.gate ?? createSemaphore(connectsAtOnce),
    tls: parts.tls ?? createTlsContexts()
  }
}
