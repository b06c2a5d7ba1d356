import { compareValues, type TextOrder } from '../../bson/compare.ts'
import { isDocument, typeName, type Document } from '../../bson/document.ts'
import { isNumeric, toNumber } from '../../bson/numbers.ts'
import { MongoError, unsupported } from '../../errors.ts'
import { sizeOfValue } from '../../storage/memory.ts'
import { compileExpression } from '../expressions/expression.ts'
import type { ExpressionOptions } from '../expressions/scope.ts'
import { createSum, foldOf } from '../expressions/fold-list.ts'
import { mergeInto } from '../expressions/objects.ts'
import { isNullish, namedArguments } from '../expressions/operator-kit.ts'
import { distinctValues } from '../expressions/sets.ts'

/** The state of an accumulator over the values so far. */
export interface Accumulation {
  add(value: unknown): void
  result(): unknown
}

/** A compiled accumulator, which is started for each group. */
export interface Accumulator {
  evaluate: (document: Document, variables?: ReadonlyMap<string, unknown>) => unknown
  /** `hold` is called with the bytes of each value that is kept. */
  start(hold: (bytes: number) => void): Accumulation
}

const list =
  (finish: (values: unknown[]) => unknown, keep: (value: unknown) => boolean = () => true) =>
  (hold: (bytes: number) => void): Accumulation => {
    const values: unknown[] = []
    return {
      add: (value) => {
        if (!keep(value)) return
        hold(8 + sizeOfValue(value))
        values.push(value)
      },
      result: () => finish(values)
    }
  }

function simple(name: string, text: TextOrder): Accumulator['start'] | null {
  switch (name) {
    case '$push':
      return list(
        (values) => [...values],
        (value) => value !== undefined
      )
    case '$addToSet':
      return list(
        (values) => distinctValues(values, text),
        (value) => value !== undefined
      )
    case '$mergeObjects':
      return list((values) => {
        const merged: Document = {}
        for (const value of values) {
          if (isNullish(value)) continue
          if (!isDocument(value))
            throw new MongoError(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`)
          mergeInto(merged, value)
        }
        return merged
      })
    default:
      return foldOf(name, text)
  }
}

/** `$first` and `$last` keep one value instead of the list. */
const single = (which: 'first' | 'last') => (): Accumulation => {
  let value: unknown = null
  let any = false
  return {
    add: (next) => {
      if (which === 'last' || !any) value = next ?? null
      any = true
    },
    result: () => value
  }
}

function counted(n: unknown): number {
  const number = toNumber(n)
  if (!isNumeric(n) || !Number.isInteger(number) || number <= 0)
    throw new MongoError(5787908, `'n' must be greater than 0, found ${String(n)}`)
  return number
}

/** `$firstN`, `$lastN`, `$minN`, `$maxN`. */
function several(name: string, argument: unknown, options: ExpressionOptions): Accumulator {
  const given = namedArguments(name, ['input', 'n'], [], argument)
  const n = counted(compileExpression(given['n'], options)({}))
  const sorted =
    (direction: 1 | -1) =>
    (values: unknown[]): unknown[] =>
      values
        .filter((value) => !isNullish(value))
        .toSorted((a, b) => compareValues(a, b, options.text) * direction)
        .slice(0, n)
  const finish: Record<string, (values: unknown[]) => unknown[]> = {
    $firstN: (values) => values.slice(0, n),
    $lastN: (values) => values.slice(-n),
    $minN: sorted(1),
    $maxN: sorted(-1)
  }
  const done = finish[name] ?? ((values: unknown[]) => values)
  return {
    evaluate: compileExpression(given['input'], options),
    start: list((values) => done(values.map((value) => value ?? null)))
  }
}

/** Compiles `{ $sum: expression }` and similar; null when the name is no accumulator. */
export function compileAccumulator(name: string, argument: unknown, options: ExpressionOptions): Accumulator | null {
  switch (name) {
    case '$count':
      if (!isDocument(argument) || Object.keys(argument).length > 0)
        throw new MongoError(9, '$count takes no arguments, i.e. $count:{}')
      return { evaluate: () => 1, start: createSum }
    case '$firstN':
    case '$lastN':
    case '$minN':
    case '$maxN':
      return several(name, argument, options)
    case '$first':
    case '$last':
      return { evaluate: compileExpression(argument, options), start: single(name === '$first' ? 'first' : 'last') }
    case '$top':
    case '$topN':
    case '$bottom':
    case '$bottomN':
    case '$stdDevPop':
    case '$stdDevSamp':
    case '$accumulator':
    case '$median':
    case '$percentile':
      throw unsupported(`the accumulator ${name}`)
    default: {
      const start = simple(name, options.text)
      return start && { evaluate: compileExpression(argument, options), start }
    }
  }
}

/** Compiles one field of `$group`: `{ total: { $sum: '$n' } }`. */
export function requireAccumulator(field: string, spec: unknown, options: ExpressionOptions): Accumulator {
  const [name, ...more] = isDocument(spec) ? Object.keys(spec) : []
  if (!isDocument(spec) || name === undefined)
    throw new MongoError(40234, `The field '${field}' must be an accumulator object`)
  if (more.length > 0) throw new MongoError(40238, `The field '${field}' must specify one accumulator`)
  if (field.includes('.')) throw new MongoError(40235, `The field name '${field}' cannot contain '.'`)
  const accumulator = compileAccumulator(name, spec[name], options)
  if (!accumulator) throw new MongoError(15952, `unknown group operator '${name}'`)
  return accumulator
}
