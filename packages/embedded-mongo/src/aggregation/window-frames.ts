import { compareText } from '../bson/compare.ts'
import { isDocument, typeName, type Document } from '../bson/document.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import { failedToParse, MongoError, unsupported } from '../errors.ts'
import { sortValue, type SortField } from '../query/sort.ts'

/** The documents around the i-th that a window holds: from `first` to before `end`. */
export type Window = (partition: readonly Document[], at: number) => [first: number, end: number]
const bound = (value: unknown, otherwise: number): number => {
  if (value === 'unbounded') return otherwise
  if (value === 'current') return 0
  if (!isNumeric(value)) throw failedToParse("Window bounds must be a number, 'current' or 'unbounded'")
  return toNumber(value)
}

const documentWindow =
  (lower: number, upper: number): Window =>
  (partition, at) => [Math.max(0, at + lower), Math.max(Math.min(partition.length, at + upper + 1), 0)]

const UNIT_MS: Readonly<Record<string, number>> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1
}

/** A range is measured in numbers, or with a unit in dates; a document with neither has no place in it. */
const checkPlace = (value: unknown, isTime: boolean): void => {
  const invalid = (code: number, why: string): MongoError =>
    new MongoError(code, `PlanExecutor error during aggregation :: caused by :: Invalid range: ${why}`)
  if (isTime) {
    if (value instanceof Date) return
    throw invalid(5429513, `Expected the sortBy field to be a Date, but it was ${typeName(value)}`)
  }
  if (value instanceof Date)
    throw invalid(5429413, 'For windows that involve date or time ranges, a unit must be provided.')
  if (!isNumeric(value))
    throw invalid(5429414, `Expected the sortBy field to be a number, but it was ${typeName(value)}`)
}

const rangeWindow = (lower: number, upper: number, unit: unknown, sort: readonly SortField[]): Window => {
  const [field] = sort
  if (!field || sort.length > 1 || field.direction !== 1)
    throw new MongoError(5339902, 'Range-based window requires a sortBy on exactly one field, ascending')
  const scale = typeof unit === 'string' ? UNIT_MS[unit] : 1
  if (scale === undefined) throw unsupported('a window of months, quarters or years')
  const valueOf = (document: Document | undefined): unknown =>
    document === undefined ? undefined : sortValue(document, field.path, 1, compareText)
  const place = (document: Document | undefined): number => {
    const value = valueOf(document)
    return value instanceof Date ? value.getTime() : toNumber(value)
  }
  return (partition, at) => {
    checkPlace(valueOf(partition[at]), unit !== undefined)
    const here = place(partition[at])
    let first = at
    while (first > 0 && place(partition[first - 1]) >= here + lower * scale) first--
    while (first < partition.length && place(partition[first]) < here + lower * scale) first++
    let end = at
    while (end < partition.length && place(partition[end]) <= here + upper * scale) end++
    while (end > first && place(partition[end - 1]) > here + upper * scale) end--
    return [first, end]
  }
}

/** Reads the `window` of an output: the whole partition where there is none. */
export const windowOf = (spec: unknown, sort: readonly SortField[]): Window => {
  if (spec === undefined) return (partition) => [0, partition.length]
  if (!isDocument(spec)) throw failedToParse("'window' must be an object")
  const { documents, range, unit, ...rest } = spec
  const [stray] = Object.keys(rest)
  if (stray !== undefined)
    throw failedToParse(
      `'window' field can only contain 'documents' as the only argument or 'range' with an optional 'unit' field; found '${stray}'`
    )
  if (documents !== undefined && (range !== undefined || unit !== undefined))
    throw failedToParse("Window bounds can specify either 'documents' or 'unit', not both.")
  for (const bounds of [documents, range]) {
    if (Array.isArray(bounds) && bound(bounds[0], -Infinity) > bound(bounds[1], Infinity))
      throw new MongoError(5339900, 'Lower bound must not exceed upper bound')
  }
  if (Array.isArray(documents)) {
    if (sort.length === 0) throw new MongoError(5339901, 'Document-based bounds require a sortBy')
    return documentWindow(bound(documents[0], -Infinity), bound(documents[1], Infinity))
  }
  if (Array.isArray(range)) return rangeWindow(bound(range[0], -Infinity), bound(range[1], Infinity), unit, sort)
  return (partition) => [0, partition.length]
}
