import type { TextOrder } from '../../bson/compare.ts'
import { isTrue } from '../../query/matcher.ts'
import { isNullish, nullable, plain, requireArray, withText } from './operator-kit.ts'
import type { OperatorCompiler } from './scope.ts'
import { createNames, distinctValues } from './sets.ts'

const setOperation = (
  name: string,
  run: (a: unknown[], b: unknown[], text: TextOrder) => unknown[]
): OperatorCompiler =>
  withText((text) =>
    plain(name, 0, Infinity, (values) => {
      if (values.some(isNullish)) return null
      const [first = [], ...rest] = values.map((value) => requireArray(name, value, 17047))
      return rest.reduce<unknown[]>((a, b) => run(a, b, text), distinctValues(first, text))
    })
  )

/** Returns a function that tells whether a list contains a value. */
function membership(list: readonly unknown[], text: TextOrder): (value: unknown) => boolean {
  const nameOf = createNames(text)
  const names = new Set(list.map(nameOf))
  return (value) => names.has(nameOf(value))
}

/** Set expressions, which ignore the order and duplicates of lists. */
export const sets: Readonly<Record<string, OperatorCompiler>> = {
  $setUnion: setOperation('$setUnion', (a, b, text) => distinctValues([...a, ...b], text)),
  $setIntersection: setOperation('$setIntersection', (a, b, text) => a.filter(membership(b, text))),
  $setDifference: withText((text) =>
    nullable('$setDifference', 2, 2, ([a, b]) => {
      const gone = membership(requireArray('$setDifference', b, 17049), text)
      return distinctValues(requireArray('$setDifference', a, 17048), text).filter((value) => !gone(value))
    })
  ),
  $setEquals: withText((text) =>
    plain('$setEquals', 2, Infinity, (values) => {
      const [first = [], ...rest] = values.map((value) => requireArray('$setEquals', value, 17044))
      const inFirst = membership(first, text)
      return rest.every((other) => first.every(membership(other, text)) && other.every(inFirst))
    })
  ),
  $setIsSubset: withText((text) =>
    plain('$setIsSubset', 2, 2, ([a, b]) => {
      const all = membership(requireArray('$setIsSubset', b, 17042), text)
      return requireArray('$setIsSubset', a, 17046).every(all)
    })
  ),
  $anyElementTrue: plain('$anyElementTrue', 1, 1, ([value]) =>
    requireArray('$anyElementTrue', value, 17041).some(isTrue)
  ),
  $allElementsTrue: plain('$allElementsTrue', 1, 1, ([value]) =>
    requireArray('$allElementsTrue', value, 17040).every(isTrue)
  )
}
