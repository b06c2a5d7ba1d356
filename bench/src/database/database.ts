/** `node bench/src/database.ts [--quick]`: the embedded database at 10,000 to a million documents. */
import { MongoClient } from 'mongodb'
import { measureSqlite, type SqliteTimes } from './sqlite-times.ts'
import { fill, operationsOn, readBesideWrites, timeEach, type Timing } from './database-load.ts'
import { startDatabaseServer } from './database-server.ts'
import type { Report, Row } from '../figures/report.ts'

export interface DatabaseBenchmarkOptions {
  quick: boolean
  say(line: string): void
}

const goals = { readsPerSecond: 4000, readP99Ms: 5, listGrowth: 1.5, residentMib: 250, startMs: 1000 }

/**
 * Fills a collection with documents of 500 bytes step by step, and at each size measures the operations of the api: reads by
 * key, lists by index, small durable writes, transactions. Client and server are two processes on one machine.
 */
export async function benchDatabase({ quick, say }: DatabaseBenchmarkOptions): Promise<Report> {
  const sizes = quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]
  const server = await startDatabaseServer()
  const rows: Row[] = []
  const lists: number[] = []
  const notes: string[] = []
  const tell = (what: string, unit: string, ours: number, floor?: number): void => {
    rows.push({ what, unit, ours, against: floor ?? null, goal: null })
  }
  const promise = (
    what: string,
    unit: string,
    ours: number,
    goal: { value: number; is: 'atMost' | 'atLeast' }
  ): void => {
    rows.push({ what, unit, ours, against: goal.value, goal: { ratio: 1, is: goal.is } })
  }
  try {
    let filled = 0
    for (const size of sizes) {
      let client = await MongoClient.connect(server.uri)
      let things = client.db('bench').collection('things')
      if (filled === 0) {
        await things.createIndexes([{ key: { key: 1 }, unique: true }, { key: { group: 1, at: -1 } }])
      }
      say(`filling to ${size}`)
      const inserted = await fill(things, filled, size)
      filled = size
      const ids = (await things.find({}, { projection: { _id: 1 }, limit: 20_000 }).toArray()).map(
        ({ _id }): unknown => _id
      )
      await client.close()
      await server.restart()
      client = await MongoClient.connect(server.uri)
      things = client.db('bench').collection('things')
      const label = `${size.toLocaleString('en')} documents`
      tell(`${label}: insert in batches`, '/s', inserted)
      const timings = new Map<string, Timing>()
      for (const { what, times, run } of operationsOn(client, things, size, ids)) {
        const timing = await timeEach(times, run)
        timings.set(what, timing)
        say(`${label}: ${what}: ${timing.p50Ms.toFixed(2)} ms`)
      }
      lists.push(timings.get('list of 100 by index, sorted')?.p50Ms ?? Number.NaN)
      const beside = await readBesideWrites(server.uri, things, size, { seconds: quick ? 3 : 8, writesPerSecond: 500 })
      const residentMib = server.residentMib()
      await client.close()
      await server.restart()
      const startMs = server.startMs
      await server.pause()
      const sqlite: SqliteTimes = measureSqlite(server.file, 'bench.things')
      await server.resume()
      for (const [what, timing] of timings) {
        tell(`${label}: ${what}, p50`, 'ms', timing.p50Ms, sqlite[what])
        tell(`${label}: ${what}, p99`, 'ms', timing.p99Ms)
      }
      promise(`${label}: indexed reads beside 500 writes/s`, '/s', beside.reads.perSecond, {
        value: goals.readsPerSecond,
        is: 'atLeast'
      })
      promise(`${label}: p99 of these reads`, 'ms', beside.reads.p99Ms, { value: goals.readP99Ms, is: 'atMost' })
      tell(`${label}: durable writes beside them`, '/s', beside.writes.perSecond)
      tell(`${label}: p99 of these writes`, 'ms', beside.writes.p99Ms)
      promise(`${label}: resident memory of the server`, 'MiB', residentMib, { value: goals.residentMib, is: 'atMost' })
      promise(`${label}: start`, 'ms', startMs, { value: goals.startMs, is: 'atMost' })
    }
    promise(
      `a list at ${sizes.at(-1)?.toLocaleString('en')} against one at 10,000`,
      'x',
      (lists.at(-1) ?? 0) / (lists[0] ?? 1),
      { value: goals.listGrowth, is: 'atMost' }
    )
    notes.push(
      'Reads beside writes: eight connections that speak the wire themselves; everything else goes through the driver.',
      'Beside p50: node:sqlite running the same statements on the same file, without the wire (the floor). Elsewhere: the goal.'
    )
    return {
      name: 'database',
      about: 'The embedded database, documents of 500 bytes, one client process, one server process.',
      against: 'floor or goal',
      rows,
      notes
    }
  } finally {
    await server.stop()
  }
}
