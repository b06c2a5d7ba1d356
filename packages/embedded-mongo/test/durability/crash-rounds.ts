import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient, MongoServerError, type Db, type Document } from 'mongodb'
import { checkFile } from '../../src/maintenance/integrity.ts'
import { startServerProcess } from '../../src/testing/server-process.ts'

export interface CrashOptions {
  data: string
  rounds: number
  /** Number of other documents in the file. */
  ballast: number
  /** Milliseconds of writing before each kill, chosen by a number between 0 and 1. */
  random: () => number
  onRound?: (round: number, report: RoundReport) => void
}

export interface RoundReport {
  startMs: number
  acknowledged: number
  transactions: number
  races: number
}

/** The writes that were acknowledged to the clients. */
interface Acknowledged {
  inserted: Set<string>
  counters: Map<string, { least: number; most: number }>
  transfers: Set<string>
  winners: Map<number, string>
}

const WRITERS = 4
const ACCOUNTS = 6
const START_BALANCE = 1000
const PATIENCE_MS = 2000
const typed = (id: string): never => id as never

/**
 * Writes with many clients at once, kills the server with SIGKILL, restarts it, and compares the stored data with the
 * acknowledged writes; `rounds` times. Throws an Error for the first fault.
 */
export async function runCrashRounds({ data, rounds, ballast, random, onRound }: CrashOptions): Promise<RoundReport[]> {
  const acknowledged: Acknowledged = {
    inserted: new Set(),
    counters: new Map(),
    transfers: new Set(),
    winners: new Map()
  }
  const reports: RoundReport[] = []
  await seed(data, ballast)
  for (let round = 0; round < rounds; round++) {
    const server = await startServerProcess(data)
    // Retries would hide whether a write with a lost reply was lost.
    const client = await MongoClient.connect(server.uri, { retryWrites: false, maxPoolSize: 20 })
    await verify(client.db('crash'), acknowledged, ballast)
    // Short time-outs after the kill, because this server does not come back.
    const db = client.db('crash', { timeoutMS: PATIENCE_MS })
    const before = {
      inserted: acknowledged.inserted.size,
      transfers: acknowledged.transfers.size,
      races: acknowledged.winners.size
    }
    const report = (): RoundReport => ({
      startMs: server.startMs,
      acknowledged: acknowledged.inserted.size - before.inserted,
      transactions: acknowledged.transfers.size - before.transfers,
      races: acknowledged.winners.size - before.races
    })
    const stopped = { now: false }
    const work = [
      ...Array.from({ length: WRITERS }, (_, writer) =>
        insertAndCount(db, `${round}-${writer}`, `w${writer}`, acknowledged, stopped)
      ),
      ...Array.from({ length: 3 }, (_, n) => transfer(client, db, `${round}-t${n}`, acknowledged, stopped)),
      ...Array.from({ length: 3 }, (_, n) => race(db, `${round}-r${n}`, round, acknowledged, stopped))
    ]
    await wroteSomething(report)
    await sleep(Math.floor(random() * 300))
    await server.kill()
    stopped.now = true
    const ends = await Promise.allSettled(work)
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed) throw new Error('a writer met something that no crash explains', { cause: failed.reason })
    // Do not wait: it ends sessions on a server that is gone.
    void client.close(true).catch(() => {})
    const faults = await checkFile(join(data, 'batti.db'))
    if (faults.length > 0) throw new Error(`after round ${round}: ${faults.join('; ')}`)
    reports.push(report())
    onRound?.(round, report())
  }
  const last = await startServerProcess(data)
  const client = await MongoClient.connect(last.uri)
  await verify(client.db('crash'), acknowledged, ballast)
  await client.close()
  await last.stop()
  return reports
}

async function seed(data: string, ballast: number): Promise<void> {
  const server = await startServerProcess(data)
  const client = await MongoClient.connect(server.uri)
  const db = client.db('crash')
  const pad = 'x'.repeat(200)
  for (let at = 0; at < ballast; at += 10_000) {
    await db
      .collection('ballast')
      .insertMany(Array.from({ length: Math.min(10_000, ballast - at) }, (_, i) => ({ n: at + i, pad })))
  }
  await db.collection('ballast').createIndex({ n: 1 })
  await db.collection('races').createIndex({ slot: 1 }, { unique: true })
  await db.collection('inserts').createIndex({ writer: 1, n: 1 })
  await db.createCollection('transfers')
  await db
    .collection('accounts')
    .insertMany(Array.from({ length: ACCOUNTS }, (_, i) => ({ _id: typed(`a${i}`), balance: START_BALANCE })))
  await client.close()
  await server.stop()
}

/** Waits for some writes of each kind, so that even on a busy machine a kill can lose something. */
async function wroteSomething(report: () => RoundReport): Promise<void> {
  const isEnough = ({ acknowledged, transactions, races }: RoundReport): boolean =>
    acknowledged >= 20 && transactions > 0 && races > 0
  for (let i = 0; i < 500 && !isEnough(report()); i++) await sleep(10)
}

/** Tells whether an error is expected after the kill: any connection error, but no error of the server. */
const isGone = (error: unknown): boolean => !(error instanceof MongoServerError)

async function insertAndCount(
  db: Db,
  writer: string,
  counter: string,
  acknowledged: Acknowledged,
  stopped: { now: boolean }
): Promise<void> {
  const known = acknowledged.counters.get(counter) ?? { least: 0, most: 0 }
  acknowledged.counters.set(counter, known)
  for (let n = 0; !stopped.now; n++) {
    const id = `${writer}-${n}`
    try {
      await db.collection('inserts').insertOne({ _id: typed(id), writer, n, tags: [n, `t${n % 7}`] })
      acknowledged.inserted.add(id)
      known.most++
      await db.collection('counters').updateOne({ _id: typed(counter) }, { $inc: { n: 1 } }, { upsert: true })
      known.least++
    } catch (error) {
      if (!isGone(error)) throw error
      return
    }
  }
}

async function transfer(
  client: MongoClient,
  db: Db,
  name: string,
  acknowledged: Acknowledged,
  stopped: { now: boolean }
): Promise<void> {
  for (let n = 0; !stopped.now; n++) {
    const id = `${name}-${n}`
    const [from, to] = [`a${n % ACCOUNTS}`, `a${(n * 5 + 1) % ACCOUNTS}`]
    const session = client.startSession({ defaultTimeoutMS: PATIENCE_MS })
    try {
      session.startTransaction()
      await db.collection('accounts').updateOne({ _id: typed(from) }, { $inc: { balance: -1 } }, { session })
      await db.collection('accounts').updateOne({ _id: typed(to) }, { $inc: { balance: 1 } }, { session })
      await db.collection('transfers').insertOne({ _id: typed(id), from, to }, { session })
      await session.commitTransaction()
      acknowledged.transfers.add(id)
    } catch (error) {
      // Ending the session would wait for a server that will not come back.
      if (isGone(error)) return
      if (!(error instanceof MongoServerError) || !error.hasErrorLabel('TransientTransactionError')) throw error
      if (!stopped.now) await session.abortTransaction().catch(() => {})
    }
    if (!stopped.now) await session.endSession().catch(() => {})
  }
}

async function race(
  db: Db,
  name: string,
  round: number,
  acknowledged: Acknowledged,
  stopped: { now: boolean }
): Promise<void> {
  for (let n = 0; !stopped.now; n++) {
    const slot = round * 100_000 + n
    const owner = `${name}-${n}`
    try {
      await db.collection('races').insertOne({ slot, owner })
      if (acknowledged.winners.has(slot)) throw new Error(`slot ${slot} was won twice`)
      acknowledged.winners.set(slot, owner)
    } catch (error) {
      if (error instanceof MongoServerError && error.code === 11000) continue
      if (error instanceof Error && /won twice/.test(error.message)) throw error
      if (!isGone(error)) throw error
      return
    }
  }
}

async function verify(db: Db, acknowledged: Acknowledged, ballast: number): Promise<void> {
  const idsOf = async (name: string): Promise<Set<string>> =>
    new Set(
      (
        await db
          .collection(name)
          .find({}, { projection: { _id: 1 } })
          .toArray()
      ).map(({ _id }) => String(_id))
    )
  const inserts = await idsOf('inserts')
  for (const id of acknowledged.inserted) if (!inserts.has(id)) throw new Error(`acknowledged insert ${id} is lost`)
  for (const [name, { least, most }] of acknowledged.counters) {
    const n = Number((await db.collection('counters').findOne({ _id: typed(name) }))?.['n'] ?? 0)
    if (n < least) throw new Error(`counter ${name} is ${n}, ${least} increments were acknowledged`)
    if (n > most) throw new Error(`counter ${name} is ${n}, only ${most} increments were sent`)
    // An increment in progress at the kill may have been stored without a reply.
    acknowledged.counters.set(name, { least: n, most: n })
  }
  const transfers = await db.collection('transfers').find().toArray()
  const stored = new Set(transfers.map(({ _id }) => String(_id)))
  for (const id of acknowledged.transfers) if (!stored.has(id)) throw new Error(`committed transaction ${id} is lost`)
  const balances = new Map<string, number>(Array.from({ length: ACCOUNTS }, (_, i) => [`a${i}`, START_BALANCE]))
  for (const { from, to } of transfers as Document[]) {
    balances.set(String(from), (balances.get(String(from)) ?? 0) - 1)
    balances.set(String(to), (balances.get(String(to)) ?? 0) + 1)
  }
  for (const { _id, balance } of await db.collection('accounts').find().toArray()) {
    if (balances.get(String(_id)) !== balance)
      throw new Error(
        `account ${String(_id)} has ${balance}, its transactions say ${balances.get(String(_id))}: one is half applied`
      )
  }
  const races = await db.collection('races').find().toArray()
  const owners = new Map(races.map(({ slot, owner }) => [Number(slot), String(owner)]))
  if (owners.size !== races.length) throw new Error('a unique key is there twice')
  for (const [slot, owner] of acknowledged.winners)
    if (owners.get(slot) !== owner)
      throw new Error(`slot ${slot} was acknowledged to ${owner}, ${owners.get(slot)} has it`)
  if ((await db.collection('ballast').estimatedDocumentCount()) !== ballast) throw new Error('the ballast has changed')
}
