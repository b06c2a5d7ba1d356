import type { Document } from '../../src/bson/document.ts'

/**
 * A minimal document database: a map that is searched linearly. It shares no code with the engine, so that the same error
 * would have to be made twice.
 */
export type ModelFilter = { path: string; op: string; value: unknown }[]
export interface ModelUpdate {
  op: '$set' | '$unset'
  path: string
  value: unknown
}
type Sort = { path: string; direction: number } | null

/** null < numbers < text < objects < arrays < booleans: the part of BSON's order that is used here. */
function rank(value: unknown): number {
  if (value === undefined || value === null) return 1
  if (typeof value === 'number') return 2
  if (typeof value === 'string') return 3
  if (Array.isArray(value)) return 5
  return typeof value === 'boolean' ? 6 : 4
}
function order(a: unknown, b: unknown): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (a === b || rank(a) === 1) return 0
  return (a as number) < (b as number) ? -1 : 1
}

/** Returns the values that a predicate tests: the value, and each element if it is an array. */
function candidates(document: Document, path: string): unknown[] {
  const value = at(document, path)
  return Array.isArray(value) ? [...(value as unknown[]), value] : [value]
}
function at(document: Document, path: string): unknown {
  if (path !== 'c.d') return document[path]
  const inner = document['c'] as Document | undefined
  return inner === undefined ? undefined : inner['d']
}

function holds(op: string, value: unknown, wanted: unknown): boolean {
  if (rank(value) !== rank(wanted)) return false
  const difference = order(value, wanted)
  switch (op) {
    case '$eq':
      return difference === 0
    case '$gt':
      return difference > 0
    case '$gte':
      return difference >= 0
    case '$lt':
      return difference < 0
    default:
      return difference <= 0
  }
}

const matches = (document: Document, filter: ModelFilter): boolean =>
  filter.every(({ path, op, value }) => {
    const found = candidates(document, path)
    return op === '$ne' ? !found.some((one) => holds('$eq', one, value)) : found.some((one) => holds(op, one, value))
  })

/** Returns the sort key. An array sorts by its least element ascending, by its greatest descending; an empty one before null. */
function sortKey(document: Document, path: string, direction: number): unknown {
  const value = at(document, path)
  if (!Array.isArray(value)) return [value]
  const sorted = (value as unknown[]).toSorted((a, b) => order(a, b) * direction)
  return sorted.length === 0 ? [] : [sorted[0]]
}
function orderKeys(a: unknown, b: unknown): number {
  const [x, y] = [a as unknown[], b as unknown[]]
  return x.length === 0 || y.length === 0 ? x.length - y.length : order(x[0], y[0])
}

export interface Model {
  insert(id: number, document: Document): boolean
  update(filter: ModelFilter, update: ModelUpdate, multi: boolean): void
  remove(filter: ModelFilter): number
  find(filter: ModelFilter, sort: Sort): unknown[]
  all(): Document[]
  adopt(documents: Document[]): void
  copy(): Model
}

export function createModel(start: Document[] = []): Model {
  let documents = new Map<number, Document>(start.map((document) => [Number(document['_id']), document]))
  const found = (filter: ModelFilter): Document[] =>
    [...documents.values()].filter((document) => matches(document, filter))
  const change = (document: Document, { op, path, value }: ModelUpdate): void => {
    const copy = { ...document }
    if (op === '$unset') delete copy[path]
    else copy[path] = value
    documents.set(Number(document['_id']), copy)
  }
  return {
    insert: (id, document) => {
      if (documents.has(id)) return false
      documents.set(id, { _id: id, ...document })
      return true
    },
    update: (filter, update, multi) => {
      // The planner may choose any match for a single update, so the test requests the first.
      const all = found(filter).toSorted((a, b) => Number(a['_id']) - Number(b['_id']))
      for (const document of multi ? all : all.slice(0, 1)) change(document, update)
    },
    remove: (filter) => {
      const gone = found(filter)
      for (const { _id } of gone) documents.delete(Number(_id))
      return gone.length
    },
    find: (filter, sort) =>
      found(filter)
        .toSorted(
          (a, b) =>
            (sort
              ? orderKeys(sortKey(a, sort.path, sort.direction), sortKey(b, sort.path, sort.direction)) * sort.direction
              : 0) || Number(a['_id']) - Number(b['_id'])
        )
        .map(({ _id }) => _id),
    all: () => [...documents.values()].toSorted((a, b) => Number(a['_id']) - Number(b['_id'])),
    adopt: (all) => {
      documents = new Map(all.map((document) => [Number(document['_id']), document]))
    },
    copy: () => createModel([...documents.values()])
  }
}
