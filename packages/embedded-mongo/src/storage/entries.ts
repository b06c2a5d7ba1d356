import type { Connection } from './connection.ts'
import type { Index } from './index-spec.ts'

/** What is asked of an index's entries, in SQL: `i` is an entry. */
export interface EntryQuery {
  columns: string
  /** Other tables. */
  join?: string
  where: string
}

interface Table {
  name: string
  /** What of the table is the index's own. */
  own: string
}

const tablesOf = ({ recent }: Connection, { id }: Index): Table[] => {
  const moved = { name: `index_${id}`, own: '' }
  return recent.has(id) ? [moved, { name: 'temp.recent', own: `i.idx = ${id} AND ` }] : [moved]
}

/**
 * A query of the entries of an index, in its own table and in memory. An ORDER BY after it makes SQLite merge the two, each
 * read in its own order; parameters must be numbered, for they stand in it twice.
 */
export const queryEntries = (connection: Connection, index: Index, { columns, join = '', where }: EntryQuery): string =>
  tablesOf(connection, index)
    .map(({ name, own }) => `SELECT ${columns} FROM ${name} i ${join} WHERE ${own}${where}`)
    .join(' UNION ALL ')

/** The row that holds a whole key of a unique index, or null. */
export function holderOf(connection: Connection, index: Index, key: Uint8Array): number | null {
  const found = connection.get(queryEntries(connection, index, { columns: 'i.rid', where: 'i.key = ?1' }), key)
  return found ? Number(found[0]) : null
}

/** How many entries of an index there are where `where` holds. */
export const countEntries = (connection: Connection, index: Index, where: string): string =>
  `SELECT ${tablesOf(connection, index)
    .map(({ name, own }) => `(SELECT count(*) FROM ${name} i WHERE ${own}${where})`)
    .join(' + ')}`

/** Every entry of an index, as a table. */
export const allEntries = (connection: Connection, index: Index): string =>
  `(${queryEntries(connection, index, { columns: 'key, rid', where: 'true' })})`
