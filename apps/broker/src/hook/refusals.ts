import type { MqttRefusal } from '@batti/contracts'
import { countRefused, type Tally } from '../metrics.ts'

export type Refusal = Omit<MqttRefusal, 'attempts'>
export interface Refusals {
  note: (refusal: Refusal) => void
  stop: () => void
}

export interface RefusalsDeps {
  /** Reports one refusal to the api; may reject. */
  readonly post: (refusal: MqttRefusal) => Promise<unknown>
  readonly tally: Tally
  /** How long refusals are gathered, and equal ones merged, before they are reported. */
  readonly gatherMs: number
  readonly maxWaiting: number
}

/** Shortens text that an untrusted client chose, so that it cannot fill the log. */
const clip = (text: string): string => (text.length <= 128 ? text : `${text.slice(0, 127)}…`)

/**
 * Counts refusals and reports them to the api for its unauthorized log: one at a time, equal ones merged, at most
 * `maxWaiting` in the queue. A failed report is not retried: a log row is not worth delaying the broker.
 */
export function createRefusals(deps: RefusalsDeps): Refusals {
  let waiting = new Map<string, MqttRefusal>()
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  async function flush(): Promise<void> {
    const gathered = waiting
    waiting = new Map()
    for (const refusal of gathered.values()) {
      if (stopped) return
      try {
        await deps.post(refusal)
      } catch {
        deps.tally.refusalsLost += refusal.attempts
      }
    }
    timer = null
    if (waiting.size > 0) arm()
  }

  function arm(): void {
    if (timer !== null || stopped) return
    timer = setTimeout(() => void flush(), deps.gatherMs)
  }

  return {
    note(refusal) {
      countRefused(deps.tally, refusal.reason)
      const logged = { ...refusal, clientid: clip(refusal.clientid), topic: clip(refusal.topic) }
      const username = refusal.username === null ? null : clip(refusal.username)
      const key = JSON.stringify([logged.clientid, username, logged.peerhost, logged.topic, logged.reason])
      const same = waiting.get(key)
      if (same !== undefined) same.attempts += 1
      else if (waiting.size < deps.maxWaiting) waiting.set(key, { ...logged, username, attempts: 1 })
      else deps.tally.refusalsLost += 1
      arm()
    },
    stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
    }
  }
}
