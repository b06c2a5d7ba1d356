import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { sqliteFailure } from './failure.ts'

/** A SQLite connection with cached prepared statements. Rows are arrays. */
export interface Connection {
  database: DatabaseSync
  /** The size of the index entries in memory, by the id of the index (`recent.ts`). */
  recent: Map<number, { entries: number; bytes: number }>
  run(sql: string, ...values: SQLInputValue[]): void
  get(sql: string, ...values: SQLInputValue[]): SQLOutputValue[] | undefined
  all(sql: string, ...values: SQLInputValue[]): SQLOutputValue[][]
  exec(sql: string): void
  /** Clears the prepared statements, so that the file space of dropped tables can be reclaimed. */
  forget(): void
  close(): void
}

function openFile(path: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly, timeout: 5000 })
  } catch (cause) {
    throw sqliteFailure(cause, path)
  }
}

/** Opens a connection with a page cache of `cacheKiB`. */
export function openConnection(path: string, options: { readOnly?: boolean; cacheKiB: number }): Connection {
  const database = openFile(path, options.readOnly ?? false)
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    statements.set(sql, statement)
    return statement
  }
  try {
    database.exec(`PRAGMA cache_size = -${options.cacheKiB}; PRAGMA temp_store = MEMORY;`)
  } catch (cause) {
    database.close()
    throw sqliteFailure(cause, path)
  }
  return {
    database,
    recent: new Map(),
    run: (sql, ...values) => void prepare(sql).run(...values),
    // node:sqlite's types ignore setReturnArrays.
    get: (sql, ...values) => prepare(sql).get(...values) as unknown as SQLOutputValue[] | undefined,
    all: (sql, ...values) => prepare(sql).all(...values) as unknown as SQLOutputValue[][],
    exec: (sql) => database.exec(sql),
    forget: () => statements.clear(),
    close: () => {
      statements.clear()
      database.close()
    }
  }
}
