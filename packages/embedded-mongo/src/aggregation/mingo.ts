// The whole set of operators takes as long to load as the rest of the engine.
import * as bitwise from 'mingo/operators/expression/bitwise'
import * as trigonometry from 'mingo/operators/expression/trignometry'
import { Decimal128, Double, Long } from 'bson'
import { double, isNumeric, toNumber } from '../bson/numbers.ts'
import { MongoError, unsupported } from '../errors.ts'
import type { OperatorCompiler } from './scope.ts'
import { argumentList, isNullish } from './operator-kit.ts'

/**
 * Operators that mingo evaluates: functions of plain numbers, where BSON's types and order make no
 * difference. Everything that compares, converts or walks values is this engine's own.
 */
const NUMERIC = [
  '$sin',
  '$cos',
  '$tan',
  '$asin',
  '$acos',
  '$atan',
  '$atan2',
  '$sinh',
  '$cosh',
  '$tanh',
  '$asinh',
  '$acosh',
  '$atanh',
  '$degreesToRadians',
  '$radiansToDegrees'
] as const
const BITWISE = ['$bitAnd', '$bitOr', '$bitXor', '$bitNot'] as const

type MingoOperator = (object: unknown, expression: unknown, options: unknown) => unknown

const find = (name: string): MingoOperator => {
  const operator: unknown = Reflect.get(trigonometry, name) ?? Reflect.get(bitwise, name)
  if (typeof operator !== 'function') throw new MongoError(1, `mingo has no ${name}`)
  return (...given): unknown => Reflect.apply(operator, undefined, given)
}

const call = (name: string, operator: MingoOperator, values: readonly number[]): unknown => {
  try {
    return operator({}, values.length === 1 ? values[0] : values, { failOnError: true })
  } catch (cause) {
    throw new MongoError(28765, `${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** The compiler of a borrowed operator, or null when it is none of them. */
export const borrowedOperator = (name: string): OperatorCompiler | null => {
  const numeric = NUMERIC.some((known) => known === name)
  if (!numeric && !BITWISE.some((known) => known === name)) return null
  return (argument, compile) => {
    const operator = find(name)
    const parts = argumentList(argument).map(compile)
    return (scope) => {
      const values = parts.map((part) => part(scope))
      if (values.some(isNullish)) return null
      if (!values.every(isNumeric)) throw new MongoError(28765, `${name} only supports numeric types`)
      if (values.some((value) => value instanceof Decimal128)) throw unsupported(`${name} of Decimal128`)
      if (!numeric && values.some((value) => value instanceof Long || value instanceof Double))
        throw unsupported(`${name} of anything but 32-bit integers`)
      const result = call(name, operator, values.map(toNumber))
      return numeric && typeof result === 'number' ? double(result) : result
    }
  }
}
