import { compareValues } from '../../bson/compare.ts'
import { isDocument } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import { isTrue } from '../../query/matcher.ts'
import type { OperatorCompiler } from './scope.ts'
import { argumentList, isNullish, namedArguments } from './operator-kit.ts'

const comparison =
  (name: string, test: (order: number) => unknown): OperatorCompiler =>
  (argument, compile, { text }) => {
    const list = argumentList(argument)
    if (list.length !== 2)
      throw new MongoError(16020, `Expression ${name} takes exactly 2 arguments. ${list.length} were passed in.`)
    const [left, right] = list.map(compile)
    return (scope) => {
      const a = left?.(scope)
      const b = right?.(scope)
      // Here a missing value is less than null, unlike in a query.
      if (a === undefined || b === undefined)
        return test(a === b ? 0 : a === undefined ? missingOrder(b) : -missingOrder(a))
      return test(compareValues(a, b, text))
    }
  }

/** Orders a missing value: only MinKey is below it. */
const missingOrder = (other: unknown): number => (compareValues(other, null) < 0 ? 1 : -1)

/** Comparison, boolean and conditional expressions. */
export const logic: Readonly<Record<string, OperatorCompiler>> = {
  $eq: comparison('$eq', (order) => order === 0),
  $ne: comparison('$ne', (order) => order !== 0),
  $gt: comparison('$gt', (order) => order > 0),
  $gte: comparison('$gte', (order) => order >= 0),
  $lt: comparison('$lt', (order) => order < 0),
  $lte: comparison('$lte', (order) => order <= 0),
  $cmp: comparison('$cmp', (order) => order),
  $and: (argument, compile) => {
    const parts = argumentList(argument).map(compile)
    return (scope) => parts.every((part) => isTrue(part(scope)))
  },
  $or: (argument, compile) => {
    const parts = argumentList(argument).map(compile)
    return (scope) => parts.some((part) => isTrue(part(scope)))
  },
  $not: (argument, compile) => {
    const list = argumentList(argument)
    if (list.length !== 1)
      throw new MongoError(16020, `Expression $not takes exactly 1 arguments. ${list.length} were passed in.`)
    const [part] = list.map(compile)
    return (scope) => !isTrue(part?.(scope))
  },
  $cond: (argument, compile) => {
    const list = isDocument(argument)
      ? ['if', 'then', 'else'].map((field) => namedArguments('$cond', ['if', 'then', 'else'], [], argument)[field])
      : argumentList(argument)
    if (list.length !== 3)
      throw new MongoError(16020, `Expression $cond takes exactly 3 arguments. ${list.length} were passed in.`)
    const [test, then, otherwise] = list.map(compile)
    return (scope) => (isTrue(test?.(scope)) ? then?.(scope) : otherwise?.(scope))
  },
  $ifNull: (argument, compile) => {
    const list = argumentList(argument)
    if (list.length < 2) throw new MongoError(1257300, `$ifNull needs at least two arguments, had: ${list.length}`)
    const parts = list.map(compile)
    return (scope) => {
      let value: unknown
      for (const part of parts) {
        value = part(scope)
        if (!isNullish(value)) return value
      }
      return value
    }
  },
  $switch: (argument, compile) => {
    const { branches, default: otherwise } = namedArguments('$switch', ['branches'], ['default'], argument)
    if (!Array.isArray(branches) || branches.length === 0)
      throw new MongoError(40068, '$switch requires at least one branch.')
    const cases = branches.map((branch: unknown) => {
      const given = namedArguments('$switch', ['case', 'then'], [], branch)
      return { test: compile(given['case']), then: compile(given['then']) }
    })
    const hasDefault = isDocument(argument) && Object.hasOwn(argument, 'default')
    const fallback = compile(otherwise)
    return (scope) => {
      for (const { test, then } of cases) if (isTrue(test(scope))) return then(scope)
      if (!hasDefault)
        throw new MongoError(
          40066,
          '$switch could not find a matching branch for an input, and no default was specified.'
        )
      return fallback(scope)
    }
  },
  $literal: (argument) => () => argument,
  $expr: (argument, compile) => compile(argument)
}
