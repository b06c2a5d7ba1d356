import type { ReactNode } from 'react'
import type { IntlShape } from 'react-intl'
import type { MessageId } from '#web/i18n/message-id.ts'
import { searchable } from '#web/lib/contains-typed.ts'
import { exactTime } from '#web/lib/i18n/time-words.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'

export type CellValue = string | number | boolean | null

interface ColumnLook<Row> {
  label: MessageId
  /** Renders the cell; by default the value itself. */
  cell?: (row: Row) => ReactNode
  /** A second, smaller line in comfortable density. */
  more?: (row: Row) => ReactNode
  /** The text by which the filter finds the row, if the cell or its second line shows other words than its value. */
  words?: (row: Row, t: Text, intl: IntlShape) => string
  /** A time in ISO form: shown as "12 minutes ago", found by its date. */
  isTime?: boolean
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
 * address, and for sorting on the server unless `sort` differs. `value` is sorted, and without `words` also
 * filtered, in the browser, so that it is in the page's language like the cell; by default it is the field named `id`.
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

/** Returns the text by which the filter finds a row in this column: what the cell shows. */
export function wordsOf<Row>(column: Column<Row>, row: Row, t: Text, intl: IntlShape): string {
  if (column.words !== undefined) return column.words(row, t, intl)
  const value = valueOf(column, row, t)
  if (typeof value === 'number') return `${value} · ${intl.formatNumber(value)}`
  if (typeof value !== 'string') return ''
  return column.isTime === true ? exactTime(intl, Date.parse(value)) : value
}

const bare = (text: string) => text.replace(/[\s:.-]/g, '')

/**
 * Returns a filter of rows by a typed text that is in one of their columns. Separators in MACs and spaces in phone
 * numbers do not matter. The words of a row are made once.
 */
export function createRowFilter<Row extends object>(columns: readonly Column<Row>[], t: Text, intl: IntlShape) {
  const known = new WeakMap<Row, readonly string[]>()
  const textsOf = (row: Row): readonly string[] => {
    const texts = known.get(row) ?? columns.map((column) => searchable(wordsOf(column, row, t, intl)))
    known.set(row, texts)
    return texts
  }
  return (rows: readonly Row[], typed: string): Row[] => {
    const needle = searchable(typed).trim()
    const digits = bare(needle)
    const canBeCode = digits.length >= 4 && /^[0-9a-f]+$/.test(digits)
    const matches = (text: string) => text.includes(needle) || (canBeCode && bare(text).includes(digits))
    return rows.filter((row) => needle === '' || textsOf(row).some(matches))
  }
}
