import { compareValues } from '../bson/compare.ts'
import { isDocument, setField, type Document } from '../bson/document.ts'
import { encodeKey } from '../bson/key.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import { failedToParse, MongoError, unsupported } from '../errors.ts'
import { parseSort, sortDocuments, sortValue, type SortField } from '../query/sort.ts'
import { compileAccumulator, type Accumulator } from './accumulators.ts'
import { compileExpression } from './expression.ts'
import { collect, type PipelineOptions, type Stage, type Variables } from './stage.ts'

/** The documents around the i-th that a window holds: from `first` to before `end`. */
type Window = (partition: readonly Document[], at: number) => [first: number, end: number]
/** What a field becomes for the i-th document of a partition. */
type Output = (partition: readonly Document[], at: number, variables: Variables) => unknown

const REFUSED = new Set([
  '$derivative',
  '$integral',
  '$expMovingAvg',
  '$linearFill',
  '$covariancePop',
  '$covarianceSamp',
  '$minMaxScaler'
])

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

const rangeWindow = (lower: number, upper: number, unit: unknown, sort: readonly SortField[]): Window => {
  const [field] = sort
  if (!field || sort.length > 1 || field.direction !== 1)
    throw new MongoError(5339902, 'Range-based window requires a sortBy on exactly one field, ascending')
  const scale = typeof unit === 'string' ? UNIT_MS[unit] : 1
  if (scale === undefined) throw unsupported('a window of months, quarters or years')
  const place = (document: Document | undefined): number => {
    const value = document === undefined ? undefined : sortValue(document, field.path, 1, () => 0)
    return value instanceof Date ? value.getTime() : isNumeric(value) ? toNumber(value) : Number.NaN
  }
  return (partition, at) => {
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

const windowOf = (spec: unknown, sort: readonly SortField[]): Window => {
  if (spec === undefined) return (partition) => [0, partition.length]
  if (!isDocument(spec)) throw failedToParse("'window' must be an object")
  const { documents, range, unit } = spec
  if (Array.isArray(documents)) {
    if (sort.length === 0) throw new MongoError(5339901, 'Document-based bounds require a sortBy')
    return documentWindow(bound(documents[0], -Infinity), bound(documents[1], Infinity))
  }
  if (Array.isArray(range)) return rangeWindow(bound(range[0], -Infinity), bound(range[1], Infinity), unit, sort)
  return (partition) => [0, partition.length]
}

/** The same place in the sort order. */
const tied = (
  a: Document | undefined,
  b: Document | undefined,
  sort: readonly SortField[],
  options: PipelineOptions
): boolean =>
  a !== undefined &&
  b !== undefined &&
  sort.every(
    ({ path, direction }) =>
      compareValues(
        sortValue(a, path, direction, options.text),
        sortValue(b, path, direction, options.text),
        options.text
      ) === 0
  )

const ranking =
  (name: string, sort: readonly SortField[], options: PipelineOptions): Output =>
  (partition, at) => {
    if (name === '$documentNumber') return at + 1
    let first = at
    while (first > 0 && tied(partition[first - 1], partition[at], sort, options)) first--
    if (name === '$rank') return first + 1
    let rank = 1
    for (let i = 1; i <= first; i++) if (!tied(partition[i - 1], partition[i], sort, options)) rank++
    return rank
  }

const shift = (argument: unknown, options: PipelineOptions): Output => {
  if (!isDocument(argument)) throw failedToParse('Argument to $shift must be an object')
  const output = compileExpression(argument['output'], options)
  const by = isNumeric(argument['by']) ? toNumber(argument['by']) : Number.NaN
  if (!Number.isInteger(by)) throw failedToParse("'$shift:by' field must be an integer")
  const otherwise = compileExpression(argument['default'] ?? null, options)
  return (partition, at, variables) => {
    const target = partition[at + by]
    return target === undefined ? otherwise({}, variables) : (output(target, variables) ?? null)
  }
}

const lastObserved = (argument: unknown, options: PipelineOptions): Output => {
  const evaluate = compileExpression(argument, options)
  return (partition, at, variables) => {
    for (let i = at; i >= 0; i--) {
      const value = evaluate(partition[i], variables)
      if (value !== null && value !== undefined) return value
    }
    return null
  }
}

const accumulated =
  (accumulator: Accumulator, window: Window): Output =>
  (partition, at, variables) => {
    const [first, end] = window(partition, at)
    const sum = accumulator.start()
    for (let i = first; i < end; i++) {
      const document = partition[i]
      if (document) sum.add(accumulator.evaluate(document, variables), document)
    }
    return sum.result()
  }

const compileOutput = (field: string, spec: unknown, sort: readonly SortField[], options: PipelineOptions): Output => {
  if (!isDocument(spec)) throw failedToParse(`The field '${field}' must be a window function object`)
  const { window, ...rest } = spec
  const [name, ...more] = Object.keys(rest)
  if (name === undefined || more.length > 0) throw failedToParse('Expected exactly one window function')
  if (REFUSED.has(name)) throw unsupported(`the window function ${name}`)
  if (name === '$rank' || name === '$denseRank' || name === '$documentNumber') {
    if (sort.length !== 1)
      throw new MongoError(
        5371602,
        `${name} must be specified with a top level sortBy expression with exactly one element`
      )
    return ranking(name, sort, options)
  }
  if (name === '$shift') return shift(rest[name], options)
  if (name === '$locf') return lastObserved(rest[name], options)
  const accumulator = compileAccumulator(name, rest[name], options)
  if (!accumulator) throw failedToParse(`Unrecognized window function, ${name}`)
  return accumulated(accumulator, windowOf(window, sort))
}

/** `$setWindowFields`: accumulators, ranks and shifts over partitions. */
export const compileWindows = (spec: unknown, options: PipelineOptions): Stage => {
  if (!isDocument(spec)) throw failedToParse('the $setWindowFields stage specification must be an object')
  const sort = parseSort(spec['sortBy'])
  const partitionBy = compileExpression(spec['partitionBy'] ?? null, options)
  if (!isDocument(spec['output']))
    throw new MongoError(40414, "BSON field '$setWindowFields.output' is missing but a required field")
  const outputs = Object.entries(spec['output']).map(([field, value]) => ({
    field,
    output: compileOutput(field, value, sort, options)
  }))
  return function* windows(source, variables) {
    const partitions = new Map<string, { key: unknown; documents: Document[] }>()
    for (const document of yield* collect(source, '$setWindowFields')) {
      const key = partitionBy(document, variables) ?? null
      const name = encodeKey(key).toString('latin1')
      const known = partitions.get(name)
      if (known) known.documents.push(document)
      else partitions.set(name, { key, documents: [document] })
    }
    for (const { documents } of [...partitions.values()].toSorted((a, b) => compareValues(a.key, b.key))) {
      const ordered =
        sort.length === 0 ? documents : sortDocuments(documents, sort, options.text, (document) => document)
      for (const [at, document] of ordered.entries()) {
        let result = { ...document }
        for (const { field, output } of outputs) {
          const value = output(ordered, at, variables)
          result = put(result, field.split('.'), value)
        }
        yield result
      }
    }
  }
}

const put = (document: Document, [first = '', ...rest]: readonly string[], value: unknown): Document => {
  const result = { ...document }
  const inner = document[first]
  setField(result, first, rest.length === 0 ? value : put(isDocument(inner) ? inner : {}, rest, value))
  return result
}
