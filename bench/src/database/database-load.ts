import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Document, MongoClient } from 'mongodb'
import { percentile } from '../figures/statistics.ts'
import { createWireReader, type WireReader } from './wire-reader.ts'

export interface Timing {
  p50Ms: number
  p99Ms: number
  perSecond: number
}

/** Runs and times operations one after another; `i` counts them. */
export async function timeEach(times: number, run: (i: number) => Promise<unknown>): Promise<Timing> {
  const samples: number[] = []
  const start = performance.now()
  for (let i = 0; i < times; i++) {
    const before = performance.now()
    await run(i)
    samples.push(performance.now() - before)
  }
  return timingOf(samples, performance.now() - start)
}

const timingOf = (samples: readonly number[], tookMs: number): Timing => ({
  p50Ms: percentile(samples, 0.5),
  p99Ms: percentile(samples, 0.99),
  perSecond: (samples.length / tookMs) * 1000
})

const pad = 'x'.repeat(360)
const groups = 1000

const keyOf = (n: number): string => `key-${String(n).padStart(8, '0')}`

/** Makes a document of about 500 bytes of BSON. */
const documentOf = (n: number): Document => ({
  key: keyOf(n),
  group: n % groups,
  at: new Date(1_700_000_000_000 + n * 1000),
  n,
  state: n % 3 === 0,
  inner: { a: n, b: `text ${n % 17}` },
  pad
})

/** Inserts documents `from` to `to` in batches. Returns documents per second. */
export async function fill(things: Collection, from: number, to: number): Promise<number> {
  const start = performance.now()
  for (let at = from; at < to; at += 5000) {
    const count = Math.min(5000, to - at)
    await things.insertMany(Array.from({ length: count }, (_, i) => documentOf(at + i)))
  }
  return ((to - from) / (performance.now() - start)) * 1000
}

/** Returns a pseudo-random number below `size`, the same in every run. */
const jumping = (i: number, size: number): number => (i * 7_919_317 + 13) % size

export interface Operation {
  what: string
  times: number
  run(i: number): Promise<unknown>
}

export const operationsOn = (
  client: MongoClient,
  things: Collection,
  size: number,
  ids: readonly unknown[]
): Operation[] => [
  { what: 'insert one', times: 300, run: (i) => things.insertOne({ ...documentOf(i), key: `new-${size}-${i}` }) },
  { what: 'find by _id', times: 1500, run: (i) => things.findOne({ _id: ids[jumping(i, ids.length)] as never }) },
  { what: 'find by unique key', times: 1500, run: (i) => things.findOne({ key: keyOf(jumping(i, size)) }) },
  { what: 'list of 100 by index, sorted', times: 300, run: (i) => list(things, jumping(i, groups)) },
  {
    what: 'update one',
    times: 300,
    run: (i) => things.updateOne({ key: keyOf(jumping(i, size)) }, { $set: { n: -i } })
  },
  {
    what: 'findOneAndUpdate',
    times: 300,
    run: (i) => things.findOneAndUpdate({ key: keyOf(jumping(i, size)) }, { $inc: { n: 1 } })
  },
  {
    what: 'transaction of three documents',
    times: 200,
    run: (i) =>
      transact(
        client,
        things,
        [1, 2, 3].map((k) => keyOf(jumping(i * k, size)))
      )
  },
  { what: 'filtered scan', times: size > 500_000 ? 2 : 5, run: () => things.countDocuments({ 'inner.b': 'text 5' }) },
  {
    what: '$group',
    times: size > 500_000 ? 2 : 5,
    run: () => things.aggregate([{ $group: { _id: '$inner.b', sum: { $sum: '$n' } } }]).toArray()
  }
]

/** Reads the newest hundred of a group (and of later ones, if it has fewer). */
const list = (things: Collection, group: number): Promise<unknown[]> =>
  things
    .find({ group: { $gte: group } })
    .sort({ group: 1, at: -1 })
    .limit(100)
    .toArray()

async function transact(client: MongoClient, things: Collection, keys: readonly string[]): Promise<void> {
  const session = client.startSession()
  await session.withTransaction(async () => {
    for (const key of keys) await things.updateOne({ key }, { $inc: { n: 1 } }, { session })
  })
  await session.endSession()
}

/** Minimum size of a reply with a document. */
const documentBytes = 400

/** Measures indexed reads by eight readers without pause, while a driver makes `writesPerSecond` durable writes per second. */
export async function readBesideWrites(
  uri: string,
  things: Collection,
  size: number,
  { seconds, writesPerSecond }: { seconds: number; writesPerSecond: number }
): Promise<{ reads: Timing; writes: Timing }> {
  const readers = Array.from({ length: 8 }, () => createWireReader(uri, things.dbName, things.collectionName))
  const end = performance.now() + seconds * 1000
  const reads: number[] = []
  const writes: number[] = []
  const start = performance.now()
  const read = async (reader: WireReader, which: number): Promise<void> => {
    for (let i = which; performance.now() < end; i += readers.length) {
      const before = performance.now()
      const bytes = await reader.findOne({ key: keyOf(jumping(i, size)) })
      if (bytes < documentBytes) throw new Error(`document ${jumping(i, size)} was not found`)
      reads.push(performance.now() - before)
    }
  }
  const write = async (i: number): Promise<void> => {
    const before = performance.now()
    await things.updateOne({ key: keyOf(jumping(i, size)) }, { $set: { n: i } })
    writes.push(performance.now() - before)
  }
  const writer = async (): Promise<void> => {
    const underWay: Promise<void>[] = []
    for (let sent = 0; performance.now() < end;) {
      const due = Math.floor(((performance.now() - start) / 1000) * writesPerSecond)
      for (; sent < due; sent++) underWay.push(write(sent))
      await sleep(2)
    }
    await Promise.all(underWay)
  }
  await Promise.all([writer(), ...readers.map(read)])
  const tookMs = performance.now() - start
  for (const reader of readers) reader.close()
  return { reads: timingOf(reads, tookMs), writes: timingOf(writes, tookMs) }
}
