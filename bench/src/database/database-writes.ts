import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { MongoClient, ObjectId, type Db, type Document } from 'mongodb'
import { startDatabaseServer, type DatabaseServer } from './database-server.ts'
import { cpuMs } from '../figures/process-usage.ts'
import type { Report, Row } from '../figures/report.ts'

const boards = 200
const outlets = 5

/** The indexes of the product's change log, its heaviest write load. */
const logIndexes: { key: Record<string, 1 | -1>; unique?: boolean }[] = [
  { key: { createdAt: -1 } },
  { key: { switchId: 1, createdAt: -1 } },
  { key: { deviceId: 1, createdAt: -1 } },
  { key: { userId: 1, createdAt: -1 } },
  { key: { deviceId: 1, switchIndex: 1, 'report.bootId': 1, 'report.seq': 1 }, unique: true }
]

interface Setup {
  what: string
  /** Rows per `insertMany`. Like in the api, one `bulkWrite` with the states of their boards follows. */
  rowsAtOnce: number
  /** Number of the log's indexes, besides `_id`. */
  indexes: number
  /** The key of a row consists of board, boot, number and outlet instead of an ObjectId. */
  keyed?: boolean
  storesState: boolean
}

const setups: Setup[] = [
  { what: 'one row at a time', rowsAtOnce: 1, indexes: 5, storesState: true },
  { what: '12 rows at once', rowsAtOnce: 12, indexes: 5, storesState: true },
  { what: '12 rows at once, 2 indexes, keyed', rowsAtOnce: 12, indexes: 2, keyed: true, storesState: true },
  { what: '12 rows at once, 1 index, keyed, no state', rowsAtOnce: 12, indexes: 1, keyed: true, storesState: false }
]

/** Measures the disk writes and CPU time of the embedded database per row of the log. */
export async function benchDatabaseWrites({
  quick,
  say
}: {
  quick: boolean
  say(line: string): void
}): Promise<Report> {
  const rows: Row[] = []
  for (const setup of setups) {
    const server = await startDatabaseServer()
    const client = await MongoClient.connect(server.uri)
    try {
      const cost = await measure(server, client.db('bench'), setup, quick ? 600 : 3000)
      say(`${setup.what}: ${cost.kib.toFixed(1)} KiB, ${cost.cpuMs.toFixed(2)} ms a row`)
      rows.push({
        what: `${setup.what}: written to the disk a row`,
        unit: 'KiB',
        ours: cost.kib,
        against: null,
        goal: null
      })
      rows.push({
        what: `${setup.what}: CPU of the server a row`,
        unit: 'ms',
        ours: cost.cpuMs,
        against: null,
        goal: null
      })
    } finally {
      await client.close()
      await server.stop()
    }
  }
  return {
    name: 'database-writes',
    about: `A log row of 420 bytes and the state of its board, of ${boards} boards; 20,000 rows lie in the log before.`,
    against: 'goal',
    rows,
    notes: ['Bytes are what the process handed to the disk (write_bytes), the last checkpoint included.']
  }
}

async function measure(
  server: DatabaseServer,
  db: Db,
  setup: Setup,
  count: number
): Promise<{ kib: number; cpuMs: number }> {
  const log = db.collection('log')
  const states = db.collection('states')
  for (const { key, unique = false } of logIndexes.slice(0, setup.indexes)) await log.createIndex(key, { unique })
  const makeRow = rowMaker(setup.keyed ?? false)
  for (let at = 0; at < 20_000; at += 1000) await log.insertMany(Array.from({ length: 1000 }, makeRow))
  await states.insertMany(Array.from({ length: boards }, (_, board) => stateOf(board, 0)))
  // Start with an empty write-ahead log.
  await server.restart()
  const client = await MongoClient.connect(server.uri)
  const fresh = client.db('bench')
  const before = usageOf(server.pid())
  for (let done = 0; done < count; done += setup.rowsAtOnce) {
    const batch = Array.from({ length: setup.rowsAtOnce }, makeRow)
    await fresh.collection('log').insertMany(batch, { ordered: false })
    if (!setup.storesState) continue
    const updates = batch.map(({ board }) => ({
      updateOne: { filter: { _id: board as never }, update: { $set: stateOf(board as number, done) } }
    }))
    await fresh.collection('states').bulkWrite(updates, { ordered: false })
  }
  await client.close()
  const after = usageOf(server.pid())
  const written = after.written - before.written + checkpoint(server.file)
  return { kib: written / count / 1024, cpuMs: (after.cpu - before.cpu) / count }
}

const usageOf = (pid: number): { written: number; cpu: number } => ({
  written: writtenBytes(pid),
  cpu: cpuMs(pid) ?? Number.NaN
})

/** Checkpoints the write-ahead log, as the server will do later. Returns the bytes written for it. */
function checkpoint(file: string): number {
  const before = writtenBytes(process.pid)
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(FULL)')
  database.close()
  return writtenBytes(process.pid) - before
}

const writtenBytes = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

const idOf = (kind: number, n: number): ObjectId =>
  new ObjectId(`${kind.toString(16).padStart(2, '0')}${n.toString(16).padStart(22, '0')}`)

function rowMaker(keyed: boolean): () => Document {
  let n = 0
  return () => {
    n++
    // Pseudo-random, the same in every run.
    const board = (n * 7919) % boards
    const outlet = (n * 31) % outlets
    const at = new Date(1_790_000_000_000 + n * 20)
    return {
      _id: keyed
        ? `${board.toString(16).padStart(4, '0')}:5f3a:${n.toString(36).padStart(6, '0')}:${outlet}`
        : new ObjectId(),
      kind: 'change',
      userId: idOf(1, board % 7),
      description: 'Kitchen light was switched on',
      userName: 'Asha Example',
      userPhone: null,
      from: 'app',
      cause: { kind: 'user', userId: idOf(1, board % 7).toHexString() },
      deviceId: idOf(2, board),
      deviceMac: 'AA:BB:CC:DD:EE:FF',
      switchId: idOf(3, board * outlets + outlet),
      switchIndex: outlet,
      switchName: 'Kitchen light',
      state: n % 2 === 0,
      report: { bootId: '5f3a9c1e', seq: n },
      createdAt: at,
      board
    }
  }
}

const stateOf = (board: number, n: number): Document => ({
  _id: board,
  lastSeen: new Date(1_790_000_000_000 + n),
  seq: n,
  outlets: Array.from({ length: outlets }, (_, i) => ({ kind: 'switch', on: (n + i) % 2 === 0, level: 0 })),
  pad: 'x'.repeat(600)
})
