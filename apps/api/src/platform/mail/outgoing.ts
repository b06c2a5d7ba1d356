import type { Logger } from 'pino'
import { afterCommit } from '../after-commit.ts'
import { unavailable } from '../app-error.ts'
import type { Clock } from '@batti/kit/clock'
import { ReceiverRefused } from './receiver-refused.ts'

/** Delays between retries of one message, ten minutes in all: as long as the code inside it is valid. */
const retryDelaysMs = [2000, 5000, 15_000, 30_000, 60_000, 120_000, 180_000, 180_000] as const
const retryWithinMs = 10 * 60_000
const waitingMax = 1000
/** How long a successful probe of the provider is valid; a failed one is valid for `retryAfterS`. */
const goodForMs = 30_000
const retryAfterS = 10

export interface Outgoing<Message> {
  /** Sends now. @throws AppError UNAVAILABLE when the provider does not accept it: the caller then undoes its changes. */
  sendNow(message: Message): Promise<void>
  /**
   * Composes and sends in the background, with retries for ten minutes. Nothing happens before the answer of the call:
   * otherwise an unknown address, which gets no message, would be answered measurably faster.
   */
  sendSoon(write: () => Message): void
  /**
   * @throws AppError UNAVAILABLE when the provider is known to be down. Call it before looking up a person, so that the
   * answer is the same for an unknown address.
   */
  assertReady(): Promise<void>
  /** How many messages wait for a retry. */
  waiting(): number
  stop(): void
}

/** Sends messages of one kind (`what`: "Email", "Text messages") to their provider, and remembers whether it works. */
export function createOutgoing<Message>(options: {
  what: string
  send(message: Message): Promise<void>
  /** Probes the provider; without it, the outcome of the last message is used. */
  check?: () => Promise<void>
  clock: Clock
  log: Logger
}): Outgoing<Message> {
  const { what, clock, log } = options
  const timers = new Set<NodeJS.Timeout>()
  let knownUntil = 0
  let isDown = false
  let probing: Promise<void> | null = null
  let stopped = false

  const remember = (down: boolean) => {
    isDown = down
    knownUntil = clock.monotonic() + (down ? retryAfterS * 1000 : goodForMs)
  }
  const failed = (cause: unknown) => {
    log.warn({ err: cause }, `${what} cannot be sent`)
    // Otherwise whoever gives an address that does not exist would keep everybody from signing up.
    if (!(cause instanceof ReceiverRefused)) remember(true)
  }
  const refusal = () =>
    unavailable(`${what} cannot be sent right now. Please try again after ${retryAfterS} seconds.`, retryAfterS)

  async function attempt(message: Message, firstAt: number, tries: number): Promise<void> {
    try {
      await options.send(message)
      remember(false)
    } catch (error) {
      failed(error)
      const delay = retryDelaysMs[tries] ?? retryDelaysMs.at(-1) ?? 0
      if (stopped || timers.size >= waitingMax || clock.monotonic() + delay - firstAt > retryWithinMs) {
        log.error({ err: error, tries: tries + 1 }, `${what}: a message was dropped`)
        return
      }
      const timer = setTimeout(() => {
        timers.delete(timer)
        void attempt(message, firstAt, tries + 1)
      }, delay)
      timer.unref()
      timers.add(timer)
    }
  }

  return {
    async sendNow(message) {
      try {
        await options.send(message)
        remember(false)
      } catch (error) {
        failed(error)
        throw refusal()
      }
    },
    sendSoon(write) {
      const firstAt = clock.monotonic()
      const compose = () => {
        let message: Message
        try {
          message = write()
        } catch (error) {
          log.error({ err: error }, `${what}: a message could not be written`)
          return
        }
        void attempt(message, firstAt, 0)
      }
      afterCommit(() => setImmediate(compose))
    },
    async assertReady() {
      if (clock.monotonic() >= knownUntil) {
        if (options.check === undefined) isDown = false
        else {
          probing ??= options
            .check()
            .then(() => remember(false), failed)
            .finally(() => (probing = null))
          await probing
        }
      }
      if (isDown) throw refusal()
    },
    waiting: () => timers.size,
    stop() {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    }
  }
}
