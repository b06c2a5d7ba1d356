import { ObjectId } from 'bson'
import { isDocument, type Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import type { Filter } from '../query/filter.ts'
import { createDraft } from './draft.ts'
import type { Updater } from './update.ts'

/** Returns the equalities of a query by path, which a new document starts with. */
function equalities(filter: Filter): [string, unknown][] {
  if (filter.kind === 'and') return filter.parts.flatMap(equalities)
  // An `$or` with a single branch, or an `$in` with a single value, is also an equality.
  if (filter.kind === 'or' && filter.parts.length === 1 && filter.parts[0]) return equalities(filter.parts[0])
  if (filter.kind !== 'field') return []
  const { path, leaf } = filter
  if (leaf.op === 'eq') return [[path, leaf.value]]
  if (leaf.op === 'in' && leaf.values.length === 1 && leaf.patterns.length === 0) return [[path, leaf.values[0]]]
  if (leaf.op === 'all' && leaf.each.length === 1 && leaf.each[0]?.op === 'eq') return [[path, leaf.each[0].value]]
  return []
}

/** Builds the document that an upsert inserts: the query's equalities, then the update, then an `_id`. */
export function upsertDocument(query: Filter, updater: Updater): Document {
  const draft = createDraft({})
  const known = new Set<string>()
  for (const [path, value] of equalities(query)) {
    if (updater.replaces && path !== '_id') continue
    if (known.has(path)) {
      throw new MongoError(54, `cannot infer query fields to set, path '${path}' is matched twice`)
    }
    const other = [...known].find((one) => path.startsWith(`${one}.`) || one.startsWith(`${path}.`))
    if (other !== undefined) {
      throw new MongoError(54, `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`)
    }
    known.add(path)
    draft.set(path.split('.'), value)
  }
  const { document: made } = updater.apply(draft.root, { query, inserting: true })
  return withId(made)
}

/** Puts `_id` first, and generates a missing one. */
export function withId(document: Document): Document {
  const id = document['_id']
  if (id === undefined) return { _id: new ObjectId(), ...document }
  if (Array.isArray(id)) throw new MongoError(53, "The '_id' value cannot be of type array")
  if (isDocument(id) && Object.keys(id).some((name) => name.startsWith('$'))) {
    throw new MongoError(
      52,
      `_id fields may not contain '$'-prefixed fields: ${Object.keys(id)[0] ?? ''} is not valid for storage.`
    )
  }
  if (id !== null && typeof id === 'object' && 'pattern' in id) {
    throw new MongoError(53, "The '_id' value cannot be of type regex")
  }
  if (Object.keys(document)[0] === '_id') return document
  const { _id: _, ...rest } = document
  return { _id: id, ...rest }
}
