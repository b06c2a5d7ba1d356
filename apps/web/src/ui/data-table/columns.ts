import type { ReactNode } from 'react'
import type { MessageId } from '#web/i18n/message-id.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'

export type CellValue = string | number | boolean | null

interface ColumnLook<Row> {
  label: MessageId
  /** Renders the cell; by default the value itself. */
  cell?: (row: Row) => ReactNode
  /** A second, smaller line in comfortable density. */
  more?: (row: Row) => ReactNode
  sort?: string
  /** The minimum width in pixels, at 16 px per rem. */
  width: number
  isNumber?: boolean
  /** MACs and other codes: small, in a monospaced font. */
  isCode?: boolean
  /** The heading of its row and card, for lists whose first column does not name the row. */
  isTitle?: boolean
  /** Hidden by default where the columns do not fit beside each other. */
  isExtra?: boolean
  /** Hidden by default where the columns without the extra ones do not fit either. */
  isSpare?: boolean
  /** Its line on a card, and its rendering there if that differs; columns without it are not on cards. */
  card?: { line: 2 | 3 | 4; isEnd?: boolean; cell?: (row: Row) => ReactNode }
}

type PlainField<Row> = { [Name in keyof Row & string]-?: Row[Name] extends CellValue ? Name : never }[keyof Row &
  string]

/**
 * A column of a list. The first is always shown, and is a card's heading unless another one is. `id` is used in the
 * address, and for sorting on the server unless `sort` differs. `value` is filtered and sorted in the browser, so
 * that it is in the page's language like the cell; by default it is the field named `id`.
 */
export type Column<Row> = ColumnLook<Row> &
  ({ id: PlainField<Row>; value?: never } | { id: string; value: (row: Row, t: Text) => CellValue })

export function valueOf<Row>(column: Column<Row>, row: Row, t: Text): CellValue {
  if (column.value !== undefined) return column.value(row, t)
  const field: unknown = row[column.id]
  return isCellValue(field) ? field : null
}
const isCellValue = (field: unknown): field is CellValue =>
  typeof field === 'string' || typeof field === 'number' || typeof field === 'boolean'

export interface GridControls {
  canSelect: boolean
  hasMenu: boolean
}
export const selectWidth = 44
export const menuWidth = 48
/** The side bar and the frame of the page. */
const besideWidth = 238
/** From this width on the extra columns are shown even where the table has to scroll. */
const widest = 1680

/** Returns the minimum width of the table in pixels, at 16 px per rem. */
export const gridWidth = <Row>(columns: readonly Column<Row>[], { canSelect, hasMenu }: GridControls): number =>
  columns.reduce((sum, { width }) => sum + width, (canSelect ? selectWidth : 0) + (hasMenu ? menuWidth : 0))

const windowOf = (px: number) => `(width >= ${px / 16}rem)`

/** Returns the media queries of windows that show by default all columns, and all but the extra ones. */
export function windowsFor<Row>(columns: readonly Column<Row>[], controls: GridControls) {
  const usual = columns.filter(({ isExtra }) => isExtra !== true)
  return {
    all: windowOf(Math.min(widest, gridWidth(columns, controls) + besideWidth)),
    usual: windowOf(gridWidth(usual, controls) + besideWidth)
  }
}

/** Returns the visible columns in order. Unknown columns in the address are ignored; if it names no other, so is it. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | null,
  fits: { all: boolean; usual: boolean }
): readonly Column<Row>[] {
  const [first, ...others] = columns
  if (first === undefined) return []
  if (chosen === null || !chosen.some((id) => columns.some((column) => column.id === id))) {
    const isShown = ({ isExtra, isSpare }: Column<Row>) => !(isExtra === true || (isSpare === true && !fits.usual))
    return fits.all ? columns : [first, ...others.filter(isShown)]
  }
  const byId = new Map(others.map((column) => [column.id, column]))
  return [first, ...chosen.flatMap((id) => byId.get(id) ?? [])]
}

/** Returns all columns in the order of the column menu: the visible ones first. */
export function menuOrder<Row>(columns: readonly Column<Row>[], shown: readonly Column<Row>[]): readonly Column<Row>[] {
  return [...shown, ...columns.filter((column) => !shown.includes(column))]
}

/** Returns the column that names a row. */
export const titleColumn = <Row>(columns: readonly Column<Row>[]): Column<Row> | undefined =>
  columns.find(({ isTitle }) => isTitle === true) ?? columns[0]

const bare = (text: string) => text.toLocaleLowerCase().replace(/[\s:.-]/g, '')

/** Returns whether a value contains the typed text. Separators in MACs and spaces in phone numbers do not matter. */
export function matchesText(value: CellValue, typed: string): boolean {
  if (value === null || typeof value === 'boolean') return false
  const text = String(value)
  const needle = typed.trim().toLocaleLowerCase()
  if (text.toLocaleLowerCase().includes(needle)) return true
  const digits = bare(needle)
  return digits.length >= 4 && /^[0-9a-f]+$/.test(digits) && bare(text).includes(digits)
}
