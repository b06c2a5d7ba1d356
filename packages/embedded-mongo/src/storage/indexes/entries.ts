import type { Connection } from '../file/connection.ts'
import type { Index } from './index-spec.ts'

/** Parts of an SQL query of an index's entries, where `i` is an entry. */
export interface EntryQuery {
  columns: string
  /** Other tables. */
  join?: string
  where: string
}

interface Table {
  name: string
  /** SQL condition for the rows of this index. */
  own: string
}

const tablesOf = ({ recent }: Connection, { id }: Index): Table[] => {
  const moved = { name: `index_${id}`, own: '' }
  return recent.has(id) ? [moved, { name: 'temp.recent', own: `i.idx = ${id} AND ` }] : [moved]
}

/**
 * Builds a query of the entries of an index, in its table and in memory. With an ORDER BY appended, SQLite merges the two
 * sorted sources. Parameters must be numbered, because they occur twice.
 */
export const queryEntries = (connection: Connection, index: Index, { columns, join = '', where }: EntryQuery): string =>
  tablesOf(connection, index)
    .map(({ name, own }) => `SELECT ${columns} FROM ${name} i ${join} WHERE ${own}${where}`)
    .join(' UNION ALL ')

/** Returns the id of the row with a key of a unique index, or null. */
export function holderOf(connection: Connection, index: Index, key: Uint8Array): number | null {
  const found = connection.get(queryEntries(connection, index, { columns: 'i.rid', where: 'i.key = ?1' }), key)
  return found ? Number(found[0]) : null
}

/** Builds an expression that counts the entries of an index with a condition. */
export const countEntries = (connection: Connection, index: Index, where: string): string =>
  `SELECT ${tablesOf(connection, index)
    .map(({ name, own }) => `(SELECT count(*) FROM ${name} i WHERE ${own}${where})`)
    .join(' + ')}`

/** Builds a subquery of all entries of an index. */
export const allEntries = (connection: Connection, index: Index): string =>
  `(${queryEntries(connection, index, { columns: 'key, rid', where: 'true' })})`
