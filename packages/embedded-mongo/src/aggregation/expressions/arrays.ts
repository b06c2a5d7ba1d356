import { compareValues, equalValues } from '../../bson/compare.ts'
import { isDocument, setField, typeName, type Document } from '../../bson/document.ts'
import { toNumber } from '../../bson/numbers.ts'
import { MongoError } from '../../errors.ts'
import { isTrue } from '../../query/matcher.ts'
import { parseSort, sortElements } from '../../query/sort.ts'
import { withVariable, type OperatorCompiler } from './scope.ts'
import {
  bounds,
  isNullish,
  namedArguments,
  nullable,
  plain,
  requireArray,
  requireNumber,
  withText
} from './operator-kit.ts'

function whole(name: string, value: unknown): number {
  const number = requireNumber(name, value, 28690)
  if (!Number.isInteger(number))
    throw new MongoError(28691, `${name}'s argument must be representable as a 32-bit integer: ${number}`)
  // Convert -0 to 0.
  return number + 0
}

function element(name: string, array: unknown, index: number): unknown {
  const list = requireArray(name, array)
  return index < 0 ? list[list.length + index] : list[index]
}

const ends =
  (name: '$firstN' | '$lastN' | '$minN' | '$maxN'): OperatorCompiler =>
  (argument, compile, { text }) => {
    const given = namedArguments(name, ['input', 'n'], [], argument)
    const input = compile(given['input'])
    const count = compile(given['n'])
    return (scope) => {
      const list = requireArray(name, input(scope), 5788200)
      const n = whole(name, count(scope))
      if (n <= 0) throw new MongoError(5787908, `'n' must be greater than 0, found ${n}`)
      if (name === '$firstN') return list.slice(0, n)
      if (name === '$lastN') return list.slice(-n)
      const direction = name === '$minN' ? 1 : -1
      return list
        .filter((value) => !isNullish(value))
        .toSorted((a, b) => compareValues(a, b, text) * direction)
        .slice(0, n)
    }
  }

/** Returns the variable name of an element; `this` by default. */
const variableName = (as: unknown): string => (typeof as === 'string' ? as : 'this')

const entryOf = (entry: unknown): unknown[] =>
  Array.isArray(entry) ? entry : isDocument(entry) ? [entry['k'], entry['v']] : []

/** Array expressions. */
export const arrayOperators: Readonly<Record<string, OperatorCompiler>> = {
  $arrayElemAt: nullable('$arrayElemAt', 2, 2, ([array, index]) =>
    element('$arrayElemAt', array, whole('$arrayElemAt', index))
  ),
  $first: nullable('$first', 1, 1, ([array]) => element('$first', array, 0)),
  $last: nullable('$last', 1, 1, ([array]) => element('$last', array, -1)),
  $firstN: ends('$firstN'),
  $lastN: ends('$lastN'),
  $minN: ends('$minN'),
  $maxN: ends('$maxN'),
  $isArray: plain('$isArray', 1, 1, ([value]) => Array.isArray(value)),
  $size: plain('$size', 1, 1, ([value]) => {
    if (!Array.isArray(value))
      throw new MongoError(17124, `The argument to $size must be an array, but was of type: ${typeName(value)}`)
    return value.length
  }),
  $concatArrays: nullable('$concatArrays', 0, Infinity, (values) =>
    values.flatMap((value) => requireArray('$concatArrays', value, 28664))
  ),
  $reverseArray: nullable('$reverseArray', 1, 1, ([array]) => requireArray('$reverseArray', array, 34435).toReversed()),
  $slice: nullable('$slice', 2, 3, ([array, first, second]) => {
    const list = requireArray('$slice', array, 28724)
    const start = whole('$slice', first)
    if (second === undefined) return start >= 0 ? list.slice(0, start) : list.slice(start)
    const count = whole('$slice', second)
    if (count <= 0) throw new MongoError(28729, `Third argument to $slice must be positive: ${count}`)
    const from = start < 0 ? Math.max(list.length + start, 0) : start
    return list.slice(from, from + count)
  }),
  $in: (argument, compile, options) =>
    plain('$in', 2, 2, ([value, array]) => {
      if (!Array.isArray(array))
        throw new MongoError(40081, `$in requires an array as a second argument, found: ${typeName(array)}`)
      // A missing value is in no array, not even in one with a null.
      return value !== undefined && array.some((other) => equalValues(other, value, options.text))
    })(argument, compile, options),
  $indexOfArray: withText((text) =>
    plain('$indexOfArray', 2, 4, ([array, value, from, to]) => {
      if (isNullish(array)) return null
      const list = requireArray('$indexOfArray', array, 40090)
      if (value === undefined) return -1
      const [start, end] = bounds('$indexOfArray', from, to, list.length)
      for (let i = start; i < end; i++) if (equalValues(list[i], value, text)) return i
      return -1
    })
  ),
  $range: plain('$range', 2, 3, ([from, to, step = 1]) => {
    const [start, end, by] = [from, to, step].map((value) => whole('$range', value)) as [number, number, number]
    if (by === 0) throw new MongoError(34449, '$range requires a non-zero step value')
    if (Math.abs((end - start) / by) > 5_000_000) throw new MongoError(146, '$range would use too much memory')
    const result: number[] = []
    for (let i = start; by > 0 ? i < end : i > end; i += by) result.push(i)
    return result
  }),
  $map: (argument, compile) => {
    const given = namedArguments('$map', ['input', 'in'], ['as'], argument)
    const [input, body, name] = [compile(given['input']), compile(given['in']), variableName(given['as'])]
    return (scope) => {
      const list = input(scope)
      if (isNullish(list)) return null
      return requireArray('$map', list, 16883).map((value) => body(withVariable(scope, name, value)) ?? null)
    }
  },
  $filter: (argument, compile) => {
    const given = namedArguments('$filter', ['input', 'cond'], ['as', 'limit'], argument)
    const [input, test, name] = [compile(given['input']), compile(given['cond']), variableName(given['as'])]
    const limit = given['limit'] === undefined ? null : compile(given['limit'])
    return (scope) => {
      const list = input(scope)
      if (isNullish(list)) return null
      const most = limit?.(scope)
      const found = requireArray('$filter', list, 28651).filter((value) =>
        isTrue(test(withVariable(scope, name, value)))
      )
      return isNullish(most) ? found : found.slice(0, whole('$filter', most))
    }
  },
  $reduce: (argument, compile) => {
    const given = namedArguments('$reduce', ['input', 'initialValue', 'in'], [], argument)
    const [input, initial, body] = [compile(given['input']), compile(given['initialValue']), compile(given['in'])]
    return (scope) => {
      const list = input(scope)
      if (isNullish(list)) return null
      return requireArray('$reduce', list, 40080).reduce<unknown>(
        (value, next) =>
          body({ root: scope.root, variables: new Map(scope.variables).set('value', value).set('this', next) }),
        initial(scope)
      )
    }
  },
  $sortArray: (argument, compile, { text }) => {
    const given = namedArguments('$sortArray', ['input', 'sortBy'], [], argument)
    const input = compile(given['input'])
    const order = given['sortBy']
    const fields = isDocument(order) ? parseSort(order) : null
    const direction = toNumber(order)
    return (scope) => {
      const list = input(scope)
      if (isNullish(list)) return null
      const values = requireArray('$sortArray', list, 2942504)
      return fields
        ? sortElements(values, fields, text)
        : values.toSorted((a, b) => compareValues(a, b, text) * direction)
    }
  },
  $zip: (argument, compile) => {
    const given = namedArguments('$zip', ['inputs'], ['useLongestLength', 'defaults'], argument)
    if (given['defaults'] !== undefined && given['useLongestLength'] !== true)
      throw new MongoError(34466, "cannot specify defaults unless 'useLongestLength' is true")
    const inputs = compile(given['inputs'])
    const defaults = compile(given['defaults'] ?? [])
    return (scope) => {
      const lists = requireArray('$zip', inputs(scope), 34461)
      if (lists.some(isNullish)) return null
      const arrays = lists.map((list) => requireArray('$zip', list, 34468))
      const fill = requireArray('$zip', defaults(scope), 34462)
      const lengths = arrays.map(({ length }) => length)
      const length = given['useLongestLength'] === true ? Math.max(0, ...lengths) : Math.min(...lengths)
      return Array.from({ length }, (_, i) =>
        arrays.map((array, j) => (i < array.length ? array[i] : (fill[j] ?? null)))
      )
    }
  },
  $arrayToObject: nullable('$arrayToObject', 1, 1, ([array]) => {
    const result: Document = {}
    for (const entry of requireArray('$arrayToObject', array, 40386)) {
      const [name, value] = entryOf(entry)
      if (typeof name !== 'string')
        throw new MongoError(
          40394,
          `$arrayToObject requires an object with keys 'k' and 'v', where 'k' is a string, found ${typeName(name)}`
        )
      setField(result, name, value)
    }
    return result
  }),
  $objectToArray: nullable('$objectToArray', 1, 1, ([value]) => {
    if (!isDocument(value))
      throw new MongoError(40390, `$objectToArray requires a document input, found: ${typeName(value)}`)
    return Object.entries(value).map(([k, v]) => ({ k, v }))
  })
}
