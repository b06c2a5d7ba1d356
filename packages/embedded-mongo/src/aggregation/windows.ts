import { compareValues } from '../bson/compare.ts'
import { isDocument, setField, type Document } from '../bson/document.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import { failedToParse, MongoError, unsupported } from '../errors.ts'
import { parseSort, sortDocuments, sortValue, type SortField } from '../query/sort.ts'
import { compileAccumulator, type Accumulation, type Accumulator } from './accumulators.ts'
import { compileExpression } from './expression.ts'
import { createNames } from './sets.ts'
import { windowOf, type Window } from './window-frames.ts'
import { collect, type PipelineOptions, type Stage, type Variables } from './stage.ts'

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

const ranking = (name: string, sort: readonly SortField[], options: PipelineOptions): Output => {
  // Documents come in their order: each rank follows from the one before.
  let [rank, dense] = [1, 1]
  return (partition, at) => {
    if (at === 0) [rank, dense] = [1, 1]
    else if (!tied(partition[at - 1], partition[at], sort, options)) [rank, dense] = [at + 1, dense + 1]
    return name === '$documentNumber' ? at + 1 : name === '$rank' ? rank : dense
  }
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

const accumulated = (accumulator: Accumulator, window: Window): Output => {
  let held: { partition: readonly Document[]; first: number; end: number; sum: Accumulation } | null = null
  return (partition, at, variables) => {
    const [first, end] = window(partition, at)
    // A window that only grew takes what is new: a running sum of a long partition must not begin anew each time.
    if (held?.partition !== partition || held.first !== first || held.end > end)
      held = { partition, first, end: first, sum: accumulator.start() }
    for (; held.end < end; held.end++) {
      const document = partition[held.end]
      if (document) held.sum.add(accumulator.evaluate(document, variables), document)
    }
    return held.sum.result()
  }
}

const compileOutput = (field: string, spec: unknown, sort: readonly SortField[], options: PipelineOptions): Output => {
  if (!isDocument(spec)) throw failedToParse(`The field '${field}' must be a window function object`)
  const { window, ...rest } = spec
  const [name, ...more] = Object.keys(rest)
  if (name === undefined || more.length > 0) throw failedToParse('Expected exactly one window function')
  if (REFUSED.has(name)) throw unsupported(`the window function ${name}`)
  const framed = !['$rank', '$denseRank', '$documentNumber', '$shift', '$locf'].includes(name)
  if (!framed && window !== undefined) throw failedToParse(`${name} does not accept a 'window' field`)
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
    const nameOf = createNames(options.text)
    const partitions = new Map<string, { key: unknown; documents: Document[] }>()
    for (const document of yield* collect(source, '$setWindowFields')) {
      const key = partitionBy(document, variables) ?? null
      const name = nameOf(key)
      const known = partitions.get(name)
      if (known) known.documents.push(document)
      else partitions.set(name, { key, documents: [document] })
    }
    for (const { documents } of [...partitions.values()].toSorted((a, b) =>
      compareValues(a.key, b.key, options.text)
    )) {
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
