import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'

/** Plain counters, so that a message costs one addition. prom-client reads them at a scrape. */
export interface Tally {
  connections: number
  turnedAway: number
  packetsIn: number
  delivered: number
  readonly handshakes: { ok: number; failed: number }
  readonly auth: { allow: number; deny: number; unavailable: number }
  readonly refused: Map<string, number>
  refusalsLost: number
}

export const createTally = (): Tally => ({
  connections: 0,
  turnedAway: 0,
  packetsIn: 0,
  delivered: 0,
  handshakes: { ok: 0, failed: 0 },
  auth: { allow: 0, deny: 0, unavailable: 0 },
  refused: new Map(),
  refusalsLost: 0
})

export function countRefused(tally: Tally, reason: string): void {
  tally.refused.set(reason, (tally.refused.get(reason) ?? 0) + 1)
}

export interface MetricsDeps {
  readonly tally: Tally
  readonly clients: () => number
  readonly pending: () => number
  readonly handshakesWaiting: () => number
  /** Milliseconds since the epoch. */
  readonly certificateExpiresAt: () => number
}

/** Creates the Prometheus metrics of this broker and its process. */
export function createMetrics(deps: MetricsDeps): { contentType: string; text: () => Promise<string> } {
  const registry = new Registry()
  const { tally } = deps
  let isWatched = false

  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `batti_broker_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      }
    })
  const counter = (name: string, help: string, read: () => Iterable<readonly [string, number]>, label?: string) =>
    new Counter({
      name: `batti_broker_${name}_total`,
      help,
      registers: [registry],
      labelNames: label === undefined ? [] : [label],
      collect() {
        this.reset()
        for (const [value, count] of read()) {
          if (label === undefined) this.inc(count)
          else this.inc({ [label]: value }, count)
        }
      }
    })
  const one = (read: () => number) => () => [['', read()] as const]

  gauge('clients', 'Authenticated connections', deps.clients)
  gauge('pending_connections', 'Connections that have not authenticated yet', deps.pending)
  gauge('handshakes_waiting', 'Connections waiting for their turn to shake hands', deps.handshakesWaiting)
  gauge(
    'certificate_expires_at_seconds',
    'End of the certificate, seconds since the epoch',
    () => deps.certificateExpiresAt() / 1000
  )
  counter(
    'connections',
    'TCP connections taken',
    one(() => tally.connections)
  )
  counter(
    'turned_away',
    'TCP connections ended because they did not authenticate in time, or too many had not',
    one(() => tally.turnedAway)
  )
  counter('handshakes', 'TLS handshakes', () => Object.entries(tally.handshakes), 'result')
  counter('auth', 'Answers of the auth hook', () => Object.entries(tally.auth), 'result')
  counter('refused', 'CONNECT, SUBSCRIBE, PUBLISH refused by this broker', () => tally.refused, 'reason')
  counter(
    'refusals_lost',
    'Refusals that could not be told to the api',
    one(() => tally.refusalsLost)
  )
  counter(
    'packets_in',
    'MQTT packets received',
    one(() => tally.packetsIn)
  )
  counter(
    'deliveries',
    'Messages delivered to a subscriber',
    one(() => tally.delivered)
  )

  return {
    contentType: registry.contentType,
    /** Starts the default metrics at the first scrape: watching the event loop wakes an idle process 200 times a second. */
    text(): Promise<string> {
      if (!isWatched) collectDefaultMetrics({ register: registry })
      isWatched = true
      return registry.metrics()
    }
  }
}
