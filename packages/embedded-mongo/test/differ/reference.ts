import { ObjectId } from 'bson'
import type { Document } from '../../src/bson/document.ts'

/**
 * A minimal reference of MongoDB's behavior: a list of documents that is searched linearly. It shares no code with the
 * engine, and has no indexes, plans or bytes. Numbers are plain; no document has a field with a numeric name.
 */

type Path = readonly string[]
const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const isPlace = (name: string | undefined): boolean => name !== undefined && /^\d+$/.test(name)

/** Returns the rank of a type: null, numbers, text, documents, lists, ids, booleans, dates. */
function kind(value: unknown): number {
  if (value === undefined || value === null) return 1
  if (typeof value === 'number') return 2
  if (typeof value === 'string') return 3
  if (isList(value)) return 5
  if (value instanceof ObjectId) return 7
  if (typeof value === 'boolean') return 8
  return value instanceof Date ? 9 : 4
}

export function compare(a: unknown, b: unknown): number {
  if (kind(a) !== kind(b)) return kind(a) - kind(b)
  if (isList(a) && isList(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (compare(a[i], b[i]) !== 0) return compare(a[i], b[i])
    return a.length - b.length
  }
  if (isObject(a) && isObject(b)) {
    const [x, y] = [Object.entries(a), Object.entries(b)]
    for (let i = 0; i < Math.min(x.length, y.length); i++) {
      const [[nameX, inX], [nameY, inY]] = [x[i] ?? ['', null], y[i] ?? ['', null]]
      if (kind(inX) !== kind(inY)) return kind(inX) - kind(inY)
      if (nameX !== nameY) return nameX < nameY ? -1 : 1
      if (compare(inX, inY) !== 0) return compare(inX, inY)
    }
    return x.length - y.length
  }
  if (kind(a) === 1) return 0
  const [x, y] = [a, b].map((value) =>
    value instanceof Date ? value.getTime() : value instanceof ObjectId ? value.toHexString() : value
  ) as [number, number]
  return x === y ? 0 : x < y ? -1 : 1
}
export const same = (a: unknown, b: unknown): boolean => compare(a, b) === 0

/** Visits all values of a path. `whole`: the path ended at a position in a list, so the value there is not entered. */
function reach(value: unknown, path: Path, visit: (value: unknown, whole: boolean) => void): void {
  const [name, ...rest] = path
  if (name === undefined) return visit(value, false)
  if (isList(value)) {
    for (const element of value) if (isObject(element)) reach(element, path, visit)
    if (!isPlace(name) || Number(name) >= value.length) return
    const element = value[Number(name)]
    if (rest.length === 0) visit(element, true)
    else if (isObject(element) || isList(element)) reach(element, rest, visit)
  } else if (isObject(value)) reach(value[name], rest, visit)
  else visit(undefined, false)
}

function holds(operator: string, value: unknown, wanted: unknown): boolean {
  if (operator === '$exists') return (value !== undefined) === wanted
  if (operator === '$size') return isList(value) && value.length === wanted
  if (operator === '$type') return value !== undefined && kind(value) === wanted
  if (operator === '$in') return (wanted as unknown[]).some((one) => same(value, one))
  if (operator === '$eq') return same(value, wanted)
  if (kind(value) !== kind(wanted)) return false
  const order = compare(value, wanted)
  if (wanted === null) return operator === '$gte' || operator === '$lte'
  return operator === '$gt' ? order > 0 : operator === '$gte' ? order >= 0 : operator === '$lt' ? order < 0 : order <= 0
}

const numberOfType: Readonly<Record<string, number>> = {
  number: 2,
  string: 3,
  object: 4,
  array: 5,
  bool: 8,
  date: 9,
  null: 1
}

/** Tests one condition on one path. */
function meets(document: unknown, path: Path, operator: string, wanted: unknown): boolean {
  if (operator === '$ne') return !meets(document, path, '$eq', wanted)
  if (operator === '$nin') return !meets(document, path, '$in', wanted)
  if (operator === '$not')
    return !Object.entries(wanted as Document).every(([inner, value]) => meets(document, path, inner, value))
  if (operator === '$all') {
    const all = wanted as unknown[]
    return all.length > 0 && all.every((one) => meets(document, path, '$eq', one))
  }
  if (operator === '$exists' && wanted === false) return !meets(document, path, '$exists', true)
  let met = false
  reach(document, path, (value, whole) => {
    if (operator === '$elemMatch') {
      met ||= isList(value) && value.some((element) => elementMeets(element, wanted as Document))
      return
    }
    // `$size` and `$exists` are about the list itself.
    const asksList = operator === '$size' || operator === '$exists'
    const candidates = isList(value) && !whole && !asksList ? [...value, value] : [value]
    const given = operator === '$type' ? numberOfType[String(wanted)] : wanted
    met ||= candidates.some((one) => (operator === '$type' && one === null ? given === 1 : holds(operator, one, given)))
  })
  return met
}

function elementMeets(element: unknown, wanted: Document): boolean {
  const [first = ''] = Object.keys(wanted)
  if (first.startsWith('$'))
    return Object.entries(wanted).every(([operator, value]) =>
      isList(element) && operator !== '$size'
        ? holds(operator, element, value)
        : meets({ e: element }, ['e'], operator, value)
    )
  // A nested list counts as a document whose fields are its positions.
  return isObject(element)
    ? matches(element, wanted)
    : isList(element) && matches(Object.fromEntries(element.entries()), wanted)
}

export function matches(document: Document, query: Document): boolean {
  return Object.entries(query).every(([name, wanted]) => {
    const parts = wanted as Document[]
    if (name === '$and') return parts.every((part) => matches(document, part))
    if (name === '$or') return parts.some((part) => matches(document, part))
    if (name === '$nor') return !parts.some((part) => matches(document, part))
    const path = name.split('.')
    if (!isObject(wanted) || !Object.keys(wanted)[0]?.startsWith('$')) return meets(document, path, '$eq', wanted)
    return Object.entries(wanted).every(([operator, value]) => meets(document, path, operator, value))
  })
}

/** Stands for an empty list in a sort: before null. */
const nothing = Symbol('an empty list')

/** Returns the possible sort values of a document: for a list at or on the path, those of each element. */
function sortValues(value: unknown, path: Path): unknown[] {
  const [name, ...rest] = path
  if (name === undefined) return isList(value) ? (value.length === 0 ? [nothing] : value) : [value]
  if (isObject(value)) return sortValues(value[name], rest)
  if (!isList(value)) return [undefined]
  if (isPlace(name) && Number(name) < value.length) return sortValues(value[Number(name)], rest)
  const through = value.flatMap((element) => (isObject(element) ? sortValues(element, path) : [undefined]))
  return through.length === 0 ? [undefined] : through
}
const compareSorted = (a: unknown, b: unknown): number =>
  a === nothing || b === nothing ? Number(b === nothing) - Number(a === nothing) : compare(a, b)

export function sorted(documents: readonly Document[], field: string, direction: number): Document[] {
  const keyOf = (document: Document): unknown =>
    sortValues(document, field.split('.')).reduce((best, one) =>
      compareSorted(one, best) * direction < 0 ? one : best
    )
  return documents.toSorted((a, b) => compareSorted(keyOf(a), keyOf(b)) * direction || compare(a['_id'], b['_id']))
}

/** The refusal of an update, with MongoDB's code. */
export class Refused extends Error {
  readonly code: number
  constructor(code: number) {
    super(String(code))
    this.code = code
  }
}

/** Replaces the value at a path with the result of `change`; undefined removes the field. */
function put(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return change(value)
  const made = put(childOf(value, name), rest, change)
  if (isObject(value) || value === undefined) {
    const { [name]: _, ...others } = value ?? {}
    if (made === undefined) return value === undefined || !(name in value) ? value : others
    return { ...value, [name]: made }
  }
  // A missing field need not be removed.
  if (made === undefined && childOf(value, name) === undefined) return value
  if (!isList(value) || !isPlace(name)) throw new Refused(28)
  const longer = [...value, ...Array.from({ length: Math.max(0, Number(name) - value.length) }, () => null)]
  longer[Number(name)] = made === undefined ? null : made
  return longer
}
const childOf = (value: unknown, name: string): unknown =>
  isObject(value) ? value[name] : isList(value) && isPlace(name) ? value[Number(name)] : undefined

/** Refuses a path that can never exist, because of a value on it. */
function checkReachable(value: unknown, [name, ...rest]: Path): void {
  if (name === undefined || value === undefined) return
  if (!isObject(value) && !(isList(value) && isPlace(name))) throw new Refused(28)
  checkReachable(childOf(value, name), rest)
}

const changes: Readonly<Record<string, (argument: never) => (value: unknown) => unknown>> = {
  $set: (argument) => () => argument,
  $unset: () => () => undefined,
  $inc: (argument: number) => (value) => {
    if (value !== undefined && typeof value !== 'number') throw new Refused(14)
    return (value ?? 0) + argument
  },
  $min: (argument) => (value) => (value === undefined || compare(argument, value) < 0 ? argument : value),
  $max: (argument) => (value) => (value === undefined || compare(argument, value) > 0 ? argument : value),
  $push: (argument) => (value) => [...listOf(value), argument],
  $addToSet: (argument) => (value) =>
    listOf(value).some((one) => same(one, argument)) ? value : [...listOf(value), argument],
  $pull: (argument) => (value) => (value === undefined ? value : listOf(value).filter((one) => !same(one, argument)))
}
function listOf(value: unknown): unknown[] {
  if (value === undefined) return []
  if (!isList(value)) throw new Refused(2)
  return value
}

export function updated(document: Document, update: Document): Document {
  const steps = Object.entries(update).flatMap(([operator, fields]) =>
    Object.entries(fields as Document).map(([path, argument]) => ({ operator, path, argument }))
  )
  // Fields are written in the order of their names.
  return steps
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .reduce((made, { operator, path, argument }) => {
      if (operator === '$pull') checkReachable(made, path.split('.'))
      return put(made, path.split('.'), changes[operator]?.(argument as never) ?? ((value) => value)) as Document
    }, document)
}
