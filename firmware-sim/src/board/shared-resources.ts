import type { TrustedKey } from '@batti/firmware/image-block'
import type { Timers } from '@batti/kit/clock'
import { createSemaphore, type Semaphore } from '@batti/kit/semaphore'
import { createSharedTimer } from './shared-timer.ts'
import { createTlsContexts, type TlsContexts } from '../network/tls-contexts.ts'

/** Resources that the boards of one process share. */
export interface SharedResources {
  readonly clock: Timers
  readonly random: () => number
  readonly gate: Semaphore
  readonly tls: TlsContexts
  /** Public keys of trusted image signers. Without keys, boards accept unsigned images. */
  readonly trustedKeys: readonly TrustedKey[]
}

/** Limits concurrent connects: each costs both ends a TLS handshake, and the machine must stay responsive. */
const connectsAtOnce = 8

export function createSharedResources(parts: Partial<SharedResources> = {}): SharedResources {
  return {
    clock: parts.clock ?? createSharedTimer(),
    random: parts.random ?? Math.random,
    gate: parts.gate ?? createSemaphore(connectsAtOnce),
    tls: parts.tls ?? createTlsContexts(),
    trustedKeys: parts.trustedKeys ?? []
  }
}
