import { Decimal128, Long, type Timestamp } from 'bson'
import { compareValues, equalValues, type TextOrder } from '../bson/compare.ts'
import { isDocument, typeName, type Document } from '../bson/document.ts'
import { arithmetic, double, isNumeric, numberKind, toBigInt, toNumber, type Arithmetic } from '../bson/numbers.ts'
import { badValue, failedToParse, typeMismatch, unsupported, type MongoError } from '../errors.ts'
import { parseFilter } from '../query/filter.ts'
import { compileFilter, type MatcherOptions } from '../query/matcher.ts'
import { parseSort, sortElements } from '../query/sort.ts'
import { shellText } from '../bson/shell-text.ts'

/** Result of an operator that keeps the field unchanged. */
export const KEEP = Symbol('keep')
/** Result of an operator that removes the field. */
export const REMOVE = Symbol('remove')

export interface OperatorContext {
  path: string
  /** The document's `_id`, for messages. */
  id: unknown
  inserting: boolean
}

/** Computes the new value of a field from the present one (undefined when it is missing). */
export type Operator = (value: unknown, context: OperatorContext) => unknown

export interface OperatorOptions extends MatcherOptions {
  text: TextOrder
  now: () => Date
  timestamp: () => Timestamp
}

type Factory = (argument: unknown, path: string, options: OperatorOptions) => Operator

const here = ({ id }: OperatorContext): string => `{_id: ${shellText(id)}}`
const fieldOf = (path: string): string => path.split('.').at(-1) ?? path

const numeric =
  (name: '$inc' | '$mul', op: Arithmetic): Factory =>
  (argument, path) => {
    if (!isNumeric(argument)) {
      const verb = name === '$inc' ? 'increment' : 'multiply'
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${shellText(argument)}}`)
    }
    return (value, context) => {
      if (value === undefined) return name === '$inc' ? argument : zeroLike(argument)
      if (!isNumeric(value)) {
        throw typeMismatch(
          `Cannot apply ${name} to a value of non-numeric type. ${here(context)} has the field '${fieldOf(path)}' of non-numeric type ${typeName(value)}`
        )
      }
      if (numberKind(value) === 'decimal' || numberKind(argument) === 'decimal')
        throw unsupported(`${name} with Decimal128`)
      const result = arithmetic(op, value, argument)
      if (result === null) {
        throw badValue(
          `Failed to apply ${name} operations to current value (${shellText(value)}) for document ${here(context)}`
        )
      }
      return result
    }
  }

function zeroLike(value: unknown): unknown {
  const kind = numberKind(value)
  if (kind === 'decimal') return Decimal128.fromString('0')
  return kind === 'long' ? Long.ZERO : kind === 'double' ? double(0) : 0
}

const extreme =
  (wanted: 1 | -1): Factory =>
  (argument, _path, { text }) =>
  (value) =>
    value === undefined || compareValues(argument, value, text) * wanted > 0 ? argument : KEEP

function arrayOf(value: unknown, context: OperatorContext): unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw badValue(
    `The field '${context.path}' must be an array but is of type ${typeName(value)} in document ${here(context)}`
  )
}

function wholeNumber(value: unknown, what: string): number {
  if (!isNumeric(value) || !Number.isInteger(toNumber(value))) {
    throw badValue(`The value for ${what} must be an integer value but was given type: ${typeName(value)}`)
  }
  return toNumber(value)
}

const push: Factory = (argument, _path, { text }) => {
  if (!isDocument(argument) || !Object.hasOwn(argument, '$each')) {
    return (value, context) => [...arrayOf(value, context), argument]
  }
  const { $each: each, $slice: slice, $sort: sort, $position: position, ...rest } = argument
  const [stray] = Object.keys(rest)
  if (stray !== undefined) throw badValue(`Unrecognized clause in $push: ${stray}`)
  if (!Array.isArray(each))
    throw badValue(`The argument to $each in $push must be an array but it was of type: ${typeName(each)}`)
  const keep = slice === undefined ? null : wholeNumber(slice, '$slice')
  const at = position === undefined ? null : wholeNumber(position, '$position')
  const order = sort === undefined ? null : pushSort(sort, text)
  return (value, context) => {
    const before = arrayOf(value, context)
    // As in `slice`, a negative position counts from the end.
    const start = at ?? before.length
    let next = [...before.slice(0, start), ...(each as unknown[]), ...before.slice(start)]
    if (order) next = order(next)
    if (keep !== null) next = keep === 0 ? [] : keep > 0 ? next.slice(0, keep) : next.slice(keep)
    return next
  }
}

function pushSort(sort: unknown, text: TextOrder): (array: unknown[]) => unknown[] {
  if (isDocument(sort)) {
    const fields = parseSort(sort)
    if (fields.length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.')
    return (array) => sortElements(array, fields, text)
  }
  const direction = toNumber(sort)
  if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1')
  return (array) => array.toSorted((a, b) => compareValues(a, b, text) * direction)
}

const addToSet: Factory = (argument, _path, { text }) => {
  const isEach = isDocument(argument) && Object.hasOwn(argument, '$each')
  const each: unknown = isEach ? argument['$each'] : [argument]
  if (!Array.isArray(each)) {
    throw typeMismatch(`The argument to $each in $addToSet must be an array but it was of type ${typeName(each)}`)
  }
  if (isEach && Object.keys(argument).length > 1) {
    throw badValue(`Found unexpected fields after $each in $addToSet: ${shellText(argument)}`)
  }
  return (value, context) => {
    if (value !== undefined && !Array.isArray(value)) {
      throw badValue(
        `Cannot apply $addToSet to non-array field. Field named '${fieldOf(context.path)}' has non-array type ${typeName(value)}`
      )
    }
    const before: unknown[] = value ?? []
    const added: unknown[] = []
    for (const element of each as unknown[]) {
      if (![...before, ...added].some((known) => equalValues(known, element, text))) added.push(element)
    }
    return value !== undefined && added.length === 0 ? KEEP : [...before, ...added]
  }
}

const pop: Factory = (argument, path) => {
  const which = isNumeric(argument) ? toNumber(argument) : Number.NaN
  if (which !== 1 && which !== -1) {
    throw failedToParse(`$pop expects 1 or -1, found: ${shellText(argument)}`)
  }
  return (value) => {
    if (value === undefined) return KEEP
    if (!Array.isArray(value)) {
      throw typeMismatch(`Path '${path}' contains an element of non-array type '${typeName(value)}'`)
    }
    const array: unknown[] = value
    return which === 1 ? array.slice(0, -1) : array.slice(1)
  }
}

function without(value: unknown, gone: (element: unknown) => boolean, name: string): unknown {
  if (value === undefined) return KEEP
  if (!Array.isArray(value)) throw badValue(`Cannot apply ${name} to a non-array value`)
  const left = value.filter((element) => !gone(element))
  return left.length === value.length ? KEEP : left
}

const pull: Factory = (argument, _path, options) => {
  const gone = pullTest(argument, options)
  return (value) => without(value, gone, '$pull')
}

function pullTest(argument: unknown, options: OperatorOptions): (element: unknown) => boolean {
  if (isDocument(argument)) {
    const [first] = Object.keys(argument)
    if (first !== undefined && first.startsWith('$') && first !== '$and' && first !== '$or' && first !== '$nor') {
      const test = compileFilter(parseFilter({ '': argument }), options)
      return (element) => test({ '': element })
    }
    const test = compileFilter(parseFilter(argument), options)
    return (element) => isDocument(element) && test(element)
  }
  if (typeName(argument) === 'regex') {
    const test = compileFilter(parseFilter({ '': argument }), options)
    return (element) => test({ '': element })
  }
  return (element) => equalValues(element, argument, options.text)
}

const pullAll: Factory = (argument, _path, { text }) => {
  if (!Array.isArray(argument))
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(argument)}`)
  return (value) => without(value, (element) => argument.some((gone) => equalValues(element, gone, text)), '$pullAll')
}

const currentDate: Factory = (argument, _path, { now, timestamp }) => {
  if (typeof argument === 'boolean') return () => now()
  const { $type: type, ...rest } = isDocument(argument) ? argument : {}
  const [stray] = Object.keys(rest)
  if (stray !== undefined) throw badValue(`Unrecognized $currentDate option: ${stray}`)
  if (type === 'date') return () => now()
  if (type === 'timestamp') return () => timestamp()
  throw badValue(
    `${typeName(argument)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`
  )
}

const bit: Factory = (argument, path) => {
  if (!isDocument(argument)) {
    throw badValue(
      `The $bit modifier is not compatible with a ${typeName(argument)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`
    )
  }
  const steps = Object.entries(argument).map(([name, operand]) => {
    if (name !== 'and' && name !== 'or' && name !== 'xor') {
      throw badValue(
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${shellText(operand)}}`
      )
    }
    const kind = numberKind(operand)
    if (kind !== 'int' && kind !== 'long') {
      throw badValue(
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(operand)}' is not supported here: {${name}: ${shellText(operand)}}`
      )
    }
    return { name, operand, kind }
  })
  if (steps.length === 0) {
    throw badValue('You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}')
  }
  return (value, context) => {
    const start = value === undefined ? 0 : value
    const kind = numberKind(start)
    if (kind !== 'int' && kind !== 'long') {
      throw badValue(
        `Cannot apply $bit to a value of non-integral type.${here(context)} has the field ${path} of non-integer type ${typeName(value)}`
      )
    }
    const long = kind === 'long' || steps.some((step) => step.kind === 'long')
    const result = steps.reduce((sum, step) => {
      const operand = toBigInt(step.operand)
      return step.name === 'and' ? sum & operand : step.name === 'or' ? sum | operand : sum ^ operand
    }, toBigInt(start))
    return long ? Long.fromBigInt(BigInt.asIntN(64, result)) : Number(BigInt.asIntN(32, result))
  }
}

/** Update operators by name. `apply-step.ts` handles `$rename` and positional paths. */
export const operators: Readonly<Record<string, Factory>> = {
  $set: (argument) => () => argument,
  $setOnInsert:
    (argument) =>
    (_value, { inserting }) =>
      inserting ? argument : KEEP,
  $unset: () => () => REMOVE,
  $inc: numeric('$inc', 'add'),
  $mul: numeric('$mul', 'multiply'),
  $min: extreme(-1),
  $max: extreme(1),
  $push: push,
  $addToSet: addToSet,
  $pop: pop,
  $pull: pull,
  $pullAll: pullAll,
  $currentDate: currentDate,
  $bit: bit
}

/** Tells whether an update document consists of operators. */
export const isOperatorDocument = (update: Document): boolean => Object.keys(update)[0]?.startsWith('$') ?? false

export const unknownModifier = (name: string): MongoError =>
  failedToParse(
    `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`
  )
