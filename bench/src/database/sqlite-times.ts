import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { percentile } from '../figures/statistics.ts'

/** The times of node:sqlite alone for the same statements: the lower bound for any server. */
export interface SqliteTimes {
  /** Median milliseconds by the name of the operation. */
  [operation: string]: number
}

const medianOf = (times: number, run: (i: number) => void): number => {
  const samples: number[] = []
  for (let i = 0; i < times; i++) {
    const before = performance.now()
    run(i)
    samples.push(performance.now() - before)
  }
  return percentile(samples, 0.5)
}

/** Runs the statements of the engine on its own file (stopped), in this process. */
export function measureSqlite(file: string, namespace: string): SqliteTimes {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768')
  const collection = Number(db.prepare('SELECT id FROM collections WHERE namespace = ?').get(namespace)?.['id'])
  const indexIds = db
    .prepare('SELECT id FROM indexes WHERE collection = ? ORDER BY id')
    .all(collection)
    .map(({ id }) => Number(id))
  const [byId = 0, byKey = 0, byGroup = 0] = indexIds
  const sampleOf = (index: number): Uint8Array[] =>
    db
      .prepare(`SELECT key FROM index_${index} WHERE rid % 97 = 0 LIMIT 2000`)
      .all()
      .map(({ key }) => key as Uint8Array)
  const point = (index: number): StatementSync =>
    db.prepare(
      `SELECT d.rid, d.bson FROM index_${index} i CROSS JOIN docs_${collection} d ON d.rid = i.rid WHERE i.key = ?`
    )
  const find = (index: number): number => {
    const keys = sampleOf(index)
    const statement = point(index)
    return medianOf(1500, (i) => void statement.get(keys[i % keys.length] ?? new Uint8Array()))
  }
  const lists = (): number => {
    const keys = sampleOf(byGroup)
    const statement = db.prepare(
      `SELECT i.key, d.bson FROM index_${byGroup} i CROSS JOIN docs_${collection} d ON d.rid = i.rid WHERE i.key >= ? ORDER BY i.key LIMIT 100`
    )
    return medianOf(300, (i) => void statement.all(keys[i % keys.length] ?? new Uint8Array()))
  }
  const update = (): number => {
    const keys = sampleOf(byKey)
    const read = point(byKey)
    const write = db.prepare(`UPDATE docs_${collection} SET bson = ? WHERE rid = ?`)
    return medianOf(300, (i) => {
      const row = read.get(keys[i % keys.length] ?? new Uint8Array())
      db.exec('BEGIN IMMEDIATE')
      write.run(row?.['bson'] as Uint8Array, Number(row?.['rid']))
      db.exec('COMMIT')
    })
  }
  const scan = (): number =>
    medianOf(2, () => void db.prepare(`SELECT sum(length(bson)) FROM docs_${collection}`).get())
  const times: SqliteTimes = {
    'find by _id': find(byId),
    'find by unique key': find(byKey),
    'list of 100 by index, sorted': lists(),
    'update one': update(),
    'filtered scan': scan()
  }
  db.close()
  return times
}
