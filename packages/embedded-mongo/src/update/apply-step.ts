import { shellText } from '../bson/shell-text.ts'
import { badValue, MongoError } from '../errors.ts'
import type { Filter } from '../query/filter.ts'
import type { MatcherOptions } from '../query/matcher.ts'
import type { ArrayFilters } from './array-filters.ts'
import type { Draft } from './draft.ts'
import { KEEP, REMOVE } from './operators.ts'
import { positionalIndex } from './positional.ts'
import type { Step } from './steps.ts'

type StepOptions = { query: Filter; inserting: boolean; filters: ArrayFilters; options: MatcherOptions }

/** Does one step; adds the paths it wrote to to `touched`. */
export function applyStep(
  step: Step,
  draft: Draft,
  touched: string[][],
  { query, inserting, filters, options }: StepOptions
): void {
  if ('to' in step) {
    touched.push(...rename(step, draft))
    return
  }
  for (const path of concretePaths(step, draft, query, filters, options)) {
    const value = draft.get(path)
    const next = step.operator(value, {
      path: path === step.parts ? step.path : path.join('.'),
      id: draft.root['_id'],
      inserting
    })
    if (next === KEEP || next === value) continue
    if (path[0] === '_id') checkId(path, value, next)
    touched.push(path)
    if (next === REMOVE) draft.unset(path)
    else draft.set(path, next)
  }
}

/** `_id` may be set by an insert, and to what it is already. */
const checkId = (path: readonly string[], value: unknown, next: unknown): void => {
  const same = next !== REMOVE && (value === undefined ? path.length === 1 : shellText(value) === shellText(next))
  if (same) return
  throw new MongoError(66, "Performing an update on the path '_id' would modify the immutable field '_id'")
}

function rename(step: { path: string; parts: string[]; to: string[] }, draft: Draft): string[][] {
  for (const parts of [step.parts, step.to]) {
    for (let i = 1; i < parts.length; i++) {
      if (Array.isArray(draft.get(parts.slice(0, i)))) {
        const which = parts === step.parts ? 'source' : 'destination'
        throw badValue(
          `The ${which} field cannot be an array element, '${parts.join('.')}' in doc with _id: ${shellText(draft.root['_id'])} has an array field called '${parts[i - 1] ?? ''}'`
        )
      }
    }
  }
  const value = draft.get(step.parts)
  if (value === undefined) return []
  draft.unset(step.parts)
  draft.set(step.to, value)
  return [step.parts, step.to]
}

/** Puts array positions in the place of `$`, `$[]` and `$[id]`. */
function concretePaths(
  step: { path: string; parts: string[] },
  draft: Draft,
  query: Filter,
  filters: ArrayFilters,
  options: MatcherOptions
): string[][] {
  if (!step.path.includes('$')) return [step.parts]
  let paths: string[][] = [[]]
  for (const part of step.parts) {
    if (part === '$') {
      paths = paths.map((path) => [...path, String(positionalIndex(query, path.join('.'), draft.root, options))])
    } else if (part.startsWith('$[')) {
      const filter = part === '$[]' ? null : filters.get(part.slice(2, -1))
      paths = paths.flatMap((path) =>
        arrayPositions(draft, path, filter?.test ?? (() => true)).map((i) => [...path, String(i)])
      )
    } else paths = paths.map((path) => [...path, part])
  }
  return paths
}

function arrayPositions(draft: Draft, path: readonly string[], test: (element: unknown) => boolean): number[] {
  const array = draft.get(path)
  if (array === undefined) {
    throw badValue(`The path '${path.join('.')}' must exist in the document in order to apply array updates.`)
  }
  if (!Array.isArray(array)) {
    throw badValue(`Cannot apply array updates to non-array element ${path.at(-1) ?? ''}: ${shellText(array)}`)
  }
  return array.flatMap((element, i) => (test(element) ? [i] : []))
}
