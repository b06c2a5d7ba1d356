import { shellText } from '../bson/shell-text.ts'
import { badValue, MongoError } from '../errors.ts'
import type { Filter } from '../query/filter.ts'
import type { MatcherOptions } from '../query/matcher.ts'
import type { ArrayFilters } from './array-filters.ts'
import type { Draft } from './draft.ts'
import { KEEP, REMOVE } from './operators.ts'
import { positionalIndex } from './positional.ts'
import type { Step } from './steps.ts'

export interface Match {
  query: Filter
  filters: ArrayFilters
  options: MatcherOptions
}

/** A step with the paths of one document that it applies to. */
interface Placed {
  step: Step
  paths: readonly string[][]
}

/** Resolves `$`, `$[]` and `$[id]` in all steps, on the document before any write. */
export function placeSteps(steps: readonly Step[], draft: Draft, match: Match): Placed[] {
  const placed = steps.map((step): Placed => ({
    step,
    paths: step.path.includes('$') ? concretePaths(step.parts, draft, match) : [step.parts]
  }))
  if (steps.some(({ path }) => path.includes('$'))) checkMeeting(placed)
  return placed
}

/** Throws when two resolved paths conflict, such as an element that two filters select. */
function checkMeeting(placed: readonly Placed[]): void {
  const seen = new Set<string>()
  const paths = placed.flatMap((one) => one.paths.map((path) => path.join('.')))
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1))
      if (seen.has(path.slice(0, dot))) throw meeting(path.slice(0, dot))
    if (seen.has(path)) throw meeting(path)
    seen.add(path)
  }
}

const meeting = (path: string): MongoError => new MongoError(40, `Update created a conflict at '${path}'`)

/** Applies one step. Adds the paths that it writes to `touched`. */
export function applyStep({ step, paths }: Placed, draft: Draft, touched: string[][], inserting: boolean): void {
  if ('to' in step) {
    touched.push(...rename(step, draft))
    return
  }
  for (const path of paths) {
    const value = draft.get(path)
    if (value === undefined && step.takesOut) draft.checkViable(path)
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

/** Throws when `_id` would change. An insert may set it, and setting the same value is allowed. */
function checkId(path: readonly string[], value: unknown, next: unknown): void {
  const same = next !== REMOVE && (value === undefined ? path.length === 1 : shellText(value) === shellText(next))
  if (same) return
  throw new MongoError(66, "Performing an update on the path '_id' would modify the immutable field '_id'")
}

function rename(step: { path: string; parts: string[]; to: string[] }, draft: Draft): string[][] {
  const value = draft.get(step.parts)
  if (value === undefined) {
    draft.checkViable(step.parts)
    return []
  }
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
  if (step.parts[0] === '_id') checkId(step.parts, value, REMOVE)
  if (step.to[0] === '_id') checkId(step.to, draft.get(step.to), value)
  draft.unset(step.parts)
  draft.set(step.to, value)
  return [step.parts, step.to]
}

/** Replaces `$`, `$[]` and `$[id]` with array positions. */
function concretePaths(parts: readonly string[], draft: Draft, { query, filters, options }: Match): string[][] {
  let paths: string[][] = [[]]
  for (const part of parts) {
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
