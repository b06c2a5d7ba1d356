import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { isDoneWithin } from '../is-done-within.ts'
import type { Cluster } from './cluster.ts'
import { createHeardInstances } from './heard-instances.ts'
import { createLinkState } from './link-state.ts'
import { createMessageListeners } from './message-listeners.ts'
import { createRedisLeases } from './redis-leases.ts'
import { entryOf, messagesOf, numberOf, senderOf, type ClusterMessage } from './stream-entry.ts'
import { createStreamOutbox } from './stream-outbox.ts'
import { createStreamReader, type EntryFields } from './stream-reader.ts'

const tickMs = 5000
/** After this long, an instance that reads nothing back counts itself as cut off, and others that are silent as gone. */
const lostMs = 15_000
const retryMs = 500
const startWaitMs = 2000
/** An entry is a batch of one turn of the event loop, so this is some ten seconds at full load. */
const keptEntries = 20_000
const inboxKeptMs = minuteMs

const allStream = 'batti:events'
const inboxOf = (instance: string): string => `batti:to:${instance}`

const tickKind = 'tick'
const byeKind = 'bye'

/**
 * Connects instances through Redis streams: one that all read, and an inbox for each instance. Reading back its own entries,
 * at least the ticks, proves that an instance is connected both ways. No command waits for Redis.
 */
export async function createRedisCluster(options: {
  url: string
  instance: string
  clock: Pick<Clock, 'monotonic'>
  log: Logger
}): Promise<Cluster & { start(): Promise<void>; stop(): Promise<void> }> {
  // Loaded on demand: a home without Redis starts faster and needs less memory.
  const { Redis: Client } = await import('ioredis')
  const { instance, clock, log } = options
  const link = createLinkState(log)
  const writer = connect(options.url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 })
  const inbox = inboxOf(instance)
  const listeners = createMessageListeners(log)
  const others = createHeardInstances({ clock, lostMs })
  const outbox = createStreamOutbox(send)
  const incoming = createStreamReader({
    reader: connect(options.url, { maxRetriesPerRequest: null, blockingTimeout: tickMs * 2 }),
    writer,
    shared: allStream,
    own: inbox,
    blockMs: tickMs,
    recentMs: lostMs,
    log,
    onEntry: take,
    onEnd(recent) {
      for (const from of recent.map(senderOf)) if (isOther(from)) others.noteSign(from)
      tick()
    }
  })
  let published = 0
  let readBackAt = 0
  let isStopping = false
  let ticking: NodeJS.Timeout | undefined

  function connect(url: string, how: object): Redis {
    const client = new Client(url, {
      protocol: 2,
      lazyConnect: true,
      keepAlive: 5000,
      connectTimeout: 3000,
      retryStrategy: () => retryMs,
      ...how
    })
    // An `error` event without a listener would end the process.
    client.on('error', (error) => {
      link.noteError(error)
      log.debug({ err: error }, 'Redis')
    })
    client.on('close', () => link.turn(false, { isWanted: isStopping }))
    return client
  }

  function send(key: string, messages: readonly ClusterMessage[]): void {
    // The number is used up even if the entry is lost: the gap tells the others.
    const number = key === allStream ? (published += 1) : 0
    writer
      .xadd(key, 'MAXLEN', '~', keptEntries, '*', ...entryOf(instance, number, messages))
      .catch((error: unknown) => log.debug({ err: error }, 'an entry for other instances is lost'))
  }

  function tick(): void {
    if (link.isUp() && clock.monotonic() - readBackAt > lostMs) link.turn(false)
    const gone = others.forgetSilent()
    // They may have been killed after they had stored a change, and before they told of it.
    if (gone.length > 0 && link.isUp()) {
      log.warn({ gone }, 'other instances have gone without a farewell')
      link.notifyMissed()
    }
    if (writer.status !== 'ready') return
    outbox.push(allStream, tickKind, null)
    writer.pexpire(inbox, inboxKeptMs).catch(() => undefined)
  }

  const isOther = (name: string): boolean => name !== '' && name !== instance

  function noteEntry(from: string, number: number): void {
    const lost = others.noteEntry(from, number)
    if (lost === 0 || !link.isUp()) return
    log.warn({ from, lost }, 'messages of another instance are lost')
    link.notifyMissed()
  }

  function take(key: string, entry: EntryFields): void {
    const from = senderOf(entry)
    if (from === instance) {
      readBackAt = clock.monotonic()
      link.turn(true)
      return
    }
    const messages = messagesOf(entry)
    if (messages === null) return
    if (from !== '') {
      if (key === allStream) noteEntry(from, numberOf(entry))
      else others.noteSign(from)
    }
    for (const [kind, payload] of messages) {
      if (kind === byeKind) others.forget(from)
      else listeners.hear(kind, payload)
    }
  }

  return {
    instance,
    isUp: link.isUp,
    others: others.names,
    publish(kind, payload, { mayWait } = { mayWait: false }) {
      if (mayWait) outbox.gather(allStream, kind, payload)
      else outbox.push(allStream, kind, payload)
    },
    sendTo(name, kind, payload) {
      if (!link.isUp() || !others.has(name)) return false
      outbox.push(inboxOf(name), kind, payload)
      return true
    },
    on: listeners.on,
    onMissed: link.onMissed,
    onTurn: link.onTurn,
    leases: createRedisLeases(writer, clock),
    /** Waits only a moment for Redis: without it everything is served, but events stay within this instance. */
    async start() {
      writer.connect().catch(() => undefined)
      incoming.start()
      ticking = setInterval(tick, tickMs)
      const firstUp = new Promise<void>((resolve) => link.onTurn(() => resolve()))
      await isDoneWithin(startWaitMs, firstUp)
      if (!link.isUp()) link.logDown()
    },
    async stop() {
      isStopping = true
      clearInterval(ticking)
      if (writer.status === 'ready') {
        outbox.push(allStream, byeKind, null)
        outbox.flush()
        await writer.del(inbox).catch(() => undefined)
      }
      writer.disconnect()
      await incoming.stop()
    }
  }
}
