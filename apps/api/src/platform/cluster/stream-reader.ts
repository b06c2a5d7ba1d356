import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { isEarlier } from './stream-entry.ts'

const readAtOnce = 500
const retryMs = 500

/** The fields of an entry; null for one that was trimmed. */
export type EntryFields = string[] | null

/**
 * Reads two Redis streams for as long as it runs: `shared` from its present end on, and `own` from its beginning. The client
 * `reader`, not yet connected, is for it alone, because a read blocks its connection for up to `blockMs`.
 */
export function createStreamReader(options: {
  reader: Redis
  writer: Redis
  shared: string
  own: string
  blockMs: number
  /** How much of the shared stream before its end is given to `onEnd`. */
  recentMs: number
  log: Logger
  onEntry(stream: string, fields: EntryFields): void
  /** Called after each connection, when the end of the shared stream is found. */
  onEnd(recent: EntryFields[]): void
}) {
  const { reader, writer, shared, own, blockMs, recentMs, log, onEntry, onEnd } = options
  let [lastShared, lastOwn] = ['$', '0-0']
  const stopping = new AbortController()
  let reading: Promise<void> = Promise.resolve()

  async function readOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (lastShared === '$') await findEnd()
        const found = await reader.xread(
          ...(['COUNT', readAtOnce, 'BLOCK', blockMs, 'STREAMS', shared, own, lastShared, lastOwn] as const)
        )
        for (const [stream, entries] of found ?? []) for (const entry of entries) take(stream, entry)
      } catch (error) {
        // Pauses in any case, because a lasting error would make this a busy loop.
        if (!stopping.signal.aborted) log.debug({ err: error }, 'Redis could not be read')
        await wait(retryMs)
      }
    }
  }

  const endOf = async (stream: string): Promise<string> =>
    (await writer.xrevrange(stream, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0-0'

  /** Finds where to read from: a restarted Redis may have lost everything, and count from an earlier time. */
  async function findEnd(): Promise<void> {
    try {
      // Compared with what was read before the question: an entry that is read meanwhile is later than the answer.
      const [sharedBefore, ownBefore] = [lastShared, lastOwn]
      const [end, ownEnd] = await Promise.all([endOf(shared), endOf(own)])
      if (sharedBefore === '$' || isEarlier(end, sharedBefore)) lastShared = end
      if (isEarlier(ownEnd, ownBefore)) lastOwn = '0-0'
      const since = Math.max(0, Number(end.split('-')[0]) - recentMs)
      const recent = await writer.xrange(shared, since, '+')
      onEnd(recent.map(([, fields]) => fields))
    } catch (error) {
      log.debug({ err: error }, 'the end of what instances tell each other was not found')
    }
  }

  function take(stream: string, [id, fields]: [id: string, fields: EntryFields]): void {
    if (stream === shared) lastShared = id
    else lastOwn = id
    onEntry(stream, fields)
  }

  return {
    start(): void {
      for (const client of [reader, writer]) client.on('ready', () => void findEnd())
      reader.connect().catch(() => undefined)
      reading = readOn()
    },
    async stop(): Promise<void> {
      // Without a connection the read ends only with its time-out: the client does not end what waits for one.
      const isConnected = reader.status === 'ready'
      stopping.abort()
      reader.disconnect()
      if (isConnected) await reading
    }
  }
}
