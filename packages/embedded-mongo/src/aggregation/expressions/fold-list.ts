import { compareValues, type TextOrder } from '../../bson/compare.ts'
import { double, isNumeric, numberKind, toNumber } from '../../bson/numbers.ts'
import { unsupported } from '../../errors.ts'
import { addNumbers } from './add-numbers.ts'

/** The state of a fold over the values so far. */
export interface Fold {
  add(value: unknown): void
  result(): unknown
}

/** Adds numbers like MongoDB's `$sum`: ignores other values, and compensates for the rounding errors of doubles. */
export function createSum(): Fold {
  let exact: unknown = 0
  let sum = 0
  let lost = 0
  let doubles = false
  return {
    add: (value) => {
      const kind = numberKind(value)
      if (kind === null) return
      if (kind === 'decimal') throw unsupported('$sum of Decimal128')
      if (kind !== 'double') {
        exact = addNumbers(exact, value)
        return
      }
      doubles = true
      const number = toNumber(value)
      const next = sum + number
      lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum
      sum = next
    },
    result: () => {
      if (!doubles) return exact
      const total = sum + (Number.isFinite(lost) ? lost : 0) + toNumber(exact)
      return double(total)
    }
  }
}

function average(): Fold {
  const total = createSum()
  let n = 0
  return {
    add: (value) => {
      if (!isNumeric(value)) return
      total.add(value)
      n++
    },
    result: () => (n === 0 ? null : double(toNumber(total.result()) / n))
  }
}

const extreme = (wanted: 1 | -1, text: TextOrder) => (): Fold => {
  let best: unknown
  return {
    add: (value) => {
      if (value === null || value === undefined) return
      if (best === undefined || compareValues(value, best, text) * wanted > 0) best = value
    },
    result: () => best ?? null
  }
}

export type FoldName = '$sum' | '$avg' | '$min' | '$max'

/** Returns a fold by its name; null for an unknown name. */
export function foldOf(name: string, text: TextOrder): (() => Fold) | null {
  switch (name) {
    case '$sum':
      return createSum
    case '$avg':
      return average
    case '$min':
      return extreme(-1, text)
    case '$max':
      return extreme(1, text)
    default:
      return null
  }
}

export function foldList(name: FoldName, values: readonly unknown[], text: TextOrder): unknown {
  const fold = foldOf(name, text)?.()
  for (const value of values) fold?.add(value)
  return fold?.result() ?? null
}
