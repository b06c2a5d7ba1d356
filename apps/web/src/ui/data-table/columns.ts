import type { ReactNode } from 'react'
import type { MessageId } from '#web/i18n/message-id.ts'

export type CellValue = string | number | boolean | null

interface ColumnLook<Row> {
  label: MessageId
  /** What is drawn; the value itself when left out. */
  cell?: (row: Row) => ReactNode
  /** A second, smaller line where rows are comfortable. */
  more?: (row: Row) => ReactNode
  sort?: string
  /** Pixels at least, where a rem is 16 of them. */
  width: number
  isNumber?: boolean
  /** MACs and other codes: small, of one width. */
  isCode?: boolean
  /** A card's heading, of a list whose rows are not named by their first column. */
  isTitle?: boolean
  /** Starts hidden where the screen has no room for it. */
  isExtra?: boolean
  /** Where it stands on a card; left out of cards without it. `isWhole`: what shares its line gives way, and not it. */
  card?: { line: 2 | 3 | 4; isEnd?: boolean; isWhole?: boolean }
}

type PlainField<Row> = { [Name in keyof Row & string]-?: Row[Name] extends CellValue ? Name : never }[keyof Row &
  string]

/**
 * One column of a list. The first stays in sight, and is a card's heading where no other is. `id` stands in the address,
 * and is the name by which the server sorts unless `sort` says another. `value` is what is filtered and sorted here: the
 * field of that name, where it is left out.
 */
export type Column<Row> = ColumnLook<Row> &
  ({ id: PlainField<Row>; value?: never } | { id: string; value: (row: Row) => CellValue })

export function valueOf<Row>(column: Column<Row>, row: Row): CellValue {
  if (column.value !== undefined) return column.value(row)
  const field: unknown = row[column.id]
  return isCellValue(field) ? field : null
}
const isCellValue = (field: unknown): field is CellValue =>
  typeof field === 'string' || typeof field === 'number' || typeof field === 'boolean'

/** On narrower screens the columns that are extra start hidden. */
export const wideTable = '(width >= 105rem)'

/** The columns that are shown, in their order. What the address names and the list does not have is left out. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | null,
  isWide: boolean
): readonly Column<Row>[] {
  const [first, ...others] = columns
  if (first === undefined) return []
  if (chosen === null) return [first, ...others.filter((column) => isWide || column.isExtra !== true)]
  const byId = new Map(others.map((column) => [column.id, column]))
  return [first, ...chosen.flatMap((id) => byId.get(id) ?? [])]
}

/** All columns in the order of the column menu: those shown, then the others. */
export function menuOrder<Row>(columns: readonly Column<Row>[], shown: readonly Column<Row>[]): readonly Column<Row>[] {
  return [...shown, ...columns.filter((column) => !shown.includes(column))]
}

const bare = (text: string) => text.toLocaleLowerCase().replace(/[\s:.-]/g, '')

/** Whether a value contains what was typed; a MAC with or without its separators, a phone number with or without spaces. */
export function matchesText(value: CellValue, typed: string): boolean {
  if (value === null || typeof value === 'boolean') return false
  const text = String(value)
  const needle = typed.trim().toLocaleLowerCase()
  if (text.toLocaleLowerCase().includes(needle)) return true
  const digits = bare(needle)
  return digits.length >= 4 && /^[0-9a-f]+$/.test(digits) && bare(text).includes(digits)
}
