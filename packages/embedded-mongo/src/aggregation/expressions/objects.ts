import { getField, isDocument, setField, typeName, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import type { OperatorCompiler } from './scope.ts'
import { argumentList, isNullish, namedArguments } from './operator-kit.ts'

/** Adds the fields of one document to another. An existing field keeps its position. */
export function mergeInto(target: Document, source: Document): void {
  for (const [field, value] of Object.entries(source)) setField(target, field, value)
}

function fieldName(value: unknown): string {
  if (typeof value !== 'string')
    throw new MongoError(5654600, `$getField requires 'field' to evaluate to type String, but got ${typeName(value)}`)
  return value
}

/** Expressions on documents, and variables. */
export const objects: Readonly<Record<string, OperatorCompiler>> = {
  $mergeObjects: (argument, compile) => {
    const parts = argumentList(argument).map(compile)
    return (scope) => {
      const result: Document = {}
      for (const part of parts) {
        const value = part(scope)
        if (isNullish(value)) continue
        if (!isDocument(value))
          throw new MongoError(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`)
        mergeInto(result, value)
      }
      return result
    }
  },
  $getField: (argument, compile) => {
    const given =
      typeof argument === 'string' ? { field: argument } : namedArguments('$getField', ['field'], ['input'], argument)
    const name =
      typeof given['field'] === 'string' && !given['field'].startsWith('$$')
        ? () => given['field']
        : compile(given['field'])
    const input = compile(Object.hasOwn(given, 'input') ? given['input'] : '$$CURRENT')
    return (scope) => {
      const value = input(scope)
      if (value === null) return null
      return isDocument(value) ? getField(value, fieldName(name(scope))) : undefined
    }
  },
  $setField: (argument, compile) => {
    const given = namedArguments('$setField', ['field', 'input', 'value'], [], argument)
    return setOne(compile(given['field']), compile(given['input']), compile(given['value']))
  },
  $unsetField: (argument, compile) => {
    const given = namedArguments('$unsetField', ['field', 'input'], [], argument)
    return setOne(compile(given['field']), compile(given['input']), () => undefined)
  },
  $let: (argument, compile) => {
    const given = namedArguments('$let', ['vars', 'in'], [], argument)
    if (!isDocument(given['vars'])) throw new MongoError(16876, 'invalid parameter: expected an object (vars)')
    const bound = Object.entries(given['vars']).map(([name, value]) => [name, compile(value)] as const)
    const body = compile(given['in'])
    return (scope) => {
      const variables = new Map(scope.variables)
      for (const [name, evaluate] of bound) variables.set(name, evaluate(scope))
      return body({ root: scope.root, variables })
    }
  }
}

type Part = ReturnType<Parameters<OperatorCompiler>[1]>

const setOne =
  (name: Part, input: Part, value: Part): Part =>
  (scope) => {
    const from = input(scope)
    if (isNullish(from)) return null
    if (!isDocument(from))
      throw new MongoError(4161105, `$setField requires 'input' to evaluate to type Object, but got ${typeName(from)}`)
    const result: Document = { ...from }
    const next = value(scope)
    const field = fieldName(name(scope))
    if (next === undefined) delete result[field]
    else setField(result, field, next)
    return result
  }
