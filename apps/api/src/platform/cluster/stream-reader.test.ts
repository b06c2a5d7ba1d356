import { EventEmitter } from 'node:events'
import type { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isEarlier } from './stream-entry.ts'
import { createStreamReader } from './stream-reader.ts'

type Entry = [id: string, fields: string[]]

/** The streams of a Redis server, with the ids that the test gives. One client stands for the reader's and the writer's. */
class StreamServer extends EventEmitter {
  readonly streams = new Map<string, Entry[]>()
  status = 'ready'

  connect(): Promise<void> {
    this.emit('ready')
    return Promise.resolve()
  }
  disconnect(): void {}
  add(stream: string, id: string, text: string): void {
    this.addUnheard(stream, id, text)
    this.emit('added')
  }
  /** Adds an entry while no reader is connected. */
  addUnheard(stream: string, id: string, text: string): void {
    this.streams.set(stream, [...this.#entries(stream), [id, ['m', text]]])
  }
  /** Comes back empty, as a restarted Redis without persistence does. */
  restartEmpty(): void {
    this.streams.clear()
    this.emit('ready')
    this.emit('added')
  }
  async xread(...args: unknown[]): Promise<[string, Entry[]][] | null> {
    const names = args.slice(5)
    const asked = names.slice(0, 2).map((name, index) => [String(name), String(names[index + 2])] as const)
    const found = asked.flatMap(([stream, after]) => {
      const entries = this.#entries(stream).filter(([id]) => isEarlier(after, id))
      return entries.length === 0 ? [] : [[stream, entries] satisfies [string, Entry[]]]
    })
    if (found.length > 0) return found
    await new Promise((resolve) => this.once('added', resolve))
    return null
  }
  xrevrange(stream: string): Promise<Entry[]> {
    return Promise.resolve(this.#entries(stream).slice(-1))
  }
  xrange(stream: string, sinceMs: number): Promise<Entry[]> {
    return Promise.resolve(this.#entries(stream).filter(([id]) => !isEarlier(id, `${sinceMs}-0`)))
  }
  #entries(stream: string): Entry[] {
    return this.streams.get(stream) ?? []
  }
}

const [shared, own] = ['events', 'to:me']
let server: StreamServer
let heard: string[]
let recent: (string | undefined)[]
let reader: ReturnType<typeof createStreamReader>

beforeEach(() => {
  server = new StreamServer()
  heard = []
  recent = []
  const client = server as unknown as Redis
  reader = createStreamReader({
    reader: client,
    writer: client,
    shared,
    own,
    blockMs: 1000,
    recentMs: 1000,
    log: pino({ level: 'silent' }),
    onEntry: (stream, fields) => heard.push(`${stream} ${fields?.[1]}`),
    onEnd: (entries) => (recent = entries.map((fields) => fields?.[1]))
  })
  reader.start()
})
afterEach(async () => {
  const stopped = reader.stop()
  server.emit('added')
  await stopped
})

it('an instance is reached again when Redis comes back empty and counts from an earlier time', async () => {
  server.add(own, '9000-0', 'before')
  server.add(shared, '9000-0', 'before')
  await expect.poll(() => heard.toSorted()).toEqual(['events before', 'to:me before'])
  server.restartEmpty()
  server.add(own, '5000-0', 'to one')
  server.add(shared, '5000-0', 'to all')
  await new Promise(setImmediate)
  server.emit('added')
  await expect.poll(() => heard.toSorted()).toEqual(['events before', 'events to all', 'to:me before', 'to:me to one'])
})

it('nothing is heard twice when a connection breaks and Redis keeps its streams', async () => {
  server.add(own, '9000-0', 'first')
  await expect.poll(() => heard).toEqual(['to:me first'])
  server.emit('ready')
  server.add(own, '9001-0', 'second')
  await expect.poll(() => heard).toEqual(['to:me first', 'to:me second'])
  server.emit('ready')
  await new Promise(setImmediate)
  server.add(own, '9002-0', 'third')
  await expect.poll(() => heard).toEqual(['to:me first', 'to:me second', 'to:me third'])
})

it('what was sent while the connection was broken is heard after it, in its order', async () => {
  server.add(shared, '9000-0', 'before')
  await expect.poll(() => heard).toEqual(['events before'])
  server.addUnheard(shared, '9001-0', 'meanwhile')
  server.addUnheard(shared, '9002-0', 'shortly after')
  server.emit('ready')
  await new Promise(setImmediate)
  server.emit('added')
  await expect.poll(() => heard).toEqual(['events before', 'events meanwhile', 'events shortly after'])
})

it('the last moments before a connection are told, to show who is there; what is older is not', async () => {
  server.addUnheard(shared, '8999-0', 'gone')
  server.addUnheard(shared, '9000-0', 'still there')
  server.addUnheard(shared, '10000-0', 'newest')
  server.emit('ready')
  await expect.poll(() => recent).toEqual(['still there', 'newest'])
})

it('a reader that waits for Redis to come back stops at once', async () => {
  server.status = 'reconnecting'
  await reader.stop()
  expect(server.listenerCount('added')).toBe(1)
})
