import type { TextOrder } from '../../bson/compare.ts'
import { isDocument, typeName, type Document } from '../../bson/document.ts'
import { isNumeric, toNumber } from '../../bson/numbers.ts'
import { MongoError } from '../../errors.ts'
import type { OperatorCompiler } from './scope.ts'

/** Returns the argument list of an expression. A single argument needs no brackets. */
export const argumentList = (argument: unknown): unknown[] => (Array.isArray(argument) ? argument : [argument])

function arity(name: string, got: number, least: number, most: number): void {
  if (got >= least && got <= most) return
  throw least === most
    ? new MongoError(16020, `Expression ${name} takes exactly ${least} arguments. ${got} were passed in.`)
    : new MongoError(
        28667,
        `Expression ${name} takes at least ${least} arguments, and at most ${most}, but ${got} were passed in.`
      )
}

/** Compiles an operator with `least` to `most` values. */
export const plain =
  (name: string, least: number, most: number, run: (values: unknown[]) => unknown): OperatorCompiler =>
  (argument, compile) => {
    const list = least === 1 && most === 1 && !Array.isArray(argument) ? [argument] : argumentList(argument)
    arity(name, list.length, least, most)
    const parts = list.map(compile)
    return (scope) => run(parts.map((part) => part(scope)))
  }

/** Like `plain`, but the result is null if any value is null or missing. */
export const nullable = (
  name: string,
  least: number,
  most: number,
  run: (values: unknown[]) => unknown
): OperatorCompiler => plain(name, least, most, (values) => (values.some(isNullish) ? null : run(values)))

/** Compiles an operator with named arguments: `{ input: ..., as: ... }`. */
export const named =
  (
    name: string,
    required: readonly string[],
    optional: readonly string[],
    run: (values: Readonly<Record<string, unknown>>) => unknown
  ): OperatorCompiler =>
  (argument, compile) => {
    const given = namedArguments(name, required, optional, argument)
    const parts = Object.entries(given).map(([field, value]) => [field, compile(value)] as const)
    return (scope) => run(Object.fromEntries(parts.map(([field, evaluate]) => [field, evaluate(scope)])))
  }

export function namedArguments(
  name: string,
  required: readonly string[],
  optional: readonly string[],
  argument: unknown
): Document {
  if (!isDocument(argument))
    throw new MongoError(9, `${name} only supports an object as an argument, found ${typeName(argument)}`)
  for (const field of Object.keys(argument)) {
    if (!required.includes(field) && !optional.includes(field))
      throw new MongoError(9, `Unrecognized parameter to ${name}: ${field}`)
  }
  for (const field of required) {
    if (!Object.hasOwn(argument, field)) throw new MongoError(9, `Missing '${field}' parameter to ${name}`)
  }
  return argument
}

export const isNullish = (value: unknown): value is null | undefined => value === null || value === undefined

/** Tells whether one of these arguments was given but is null or missing, so that the result is null. */
export const givenNothing = (given: Readonly<Record<string, unknown>>, ...fields: readonly string[]): boolean =>
  fields.some((field) => Object.hasOwn(given, field) && isNullish(given[field]))

export function requireNumber(name: string, value: unknown, code: number): number {
  if (!isNumeric(value)) throw new MongoError(code, `${name} only supports numeric types, not ${typeName(value)}`)
  return toNumber(value)
}

export function requireWhole(name: string, value: unknown, code: number): number {
  const number = toNumber(value)
  if (!Number.isInteger(number)) throw new MongoError(code, `${name} must be an integer, found ${typeName(value)}`)
  return number
}

/** Reads where a search begins and ends; by default at the ends of what is searched. */
export function bounds(name: string, from: unknown, to: unknown, length: number): [start: number, end: number] {
  const read = (which: string, value: unknown): number => {
    const number = isNumeric(value) ? toNumber(value) : Number.NaN
    if (!Number.isInteger(number))
      throw new MongoError(
        40096,
        `${name} requires an integral ${which}ing index, found a value of type: ${typeName(value)}`
      )
    if (number < 0) throw new MongoError(40097, `${name} requires a nonnegative ${which}ing index, found: ${number}`)
    return number + 0
  }
  return [from === undefined ? 0 : read('start', from), to === undefined ? length : Math.min(read('end', to), length)]
}

export function requireArray(name: string, value: unknown, code = 28689): unknown[] {
  if (!Array.isArray(value))
    throw new MongoError(code, `The argument to ${name} must be an array, but was of type: ${typeName(value)}`)
  return value
}

export function requireString(name: string, value: unknown, code: number): string {
  if (typeof value !== 'string')
    throw new MongoError(code, `${name} requires a string argument, found: ${typeName(value)}`)
  return value
}

/** Compiles an operator that compares by the collation of its command. */
export const withText =
  (make: (text: TextOrder) => OperatorCompiler): OperatorCompiler =>
  (argument, compile, options) =>
    make(options.text)(argument, compile, options)
