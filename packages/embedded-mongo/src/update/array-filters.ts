import { isDocument, type Document } from '../bson/document.ts'
import { badValue, failedToParse } from '../errors.ts'
import { parseFilter } from '../query/filter.ts'
import { compileFilter, type MatcherOptions } from '../query/matcher.ts'
import { topOf } from '../query/path.ts'

/** The conditions of `$[id]` by id; `used` is set once a path refers to them. */
export type ArrayFilters = Map<string, { test: (element: unknown) => boolean; used: boolean }>

/** Parses `arrayFilters`, each of which is a condition on the elements of an array. */
export function parseArrayFilters(asked: readonly Document[], options: MatcherOptions): ArrayFilters {
  const filters: ArrayFilters = new Map()
  for (const filter of asked) {
    const names = new Set(topFields(filter))
    const [name] = names
    if (name === undefined)
      throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters')
    if (names.size > 1) {
      throw failedToParse(
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`
      )
    }
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
      throw badValue(
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`
      )
    }
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`)
    const test = compileFilter(parseFilter(filter), options)
    filters.set(name, { test: (element) => test({ [name]: element }), used: false })
  }
  return filters
}

const topFields = (filter: Document): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    name.startsWith('$') ? (Array.isArray(value) ? value.filter(isDocument).flatMap(topFields) : []) : [topOf(name)]
  )
