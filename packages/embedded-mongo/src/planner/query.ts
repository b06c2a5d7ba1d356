import { isDocument, type Document } from '../bson/document.ts'
import { badValue, MongoError, typeMismatch } from '../errors.ts'
import { compileExpression } from '../aggregation/expressions/expression.ts'
import { collationOf, textOrder, type Collation } from '../query/collation.ts'
import { parseFilter, type Filter } from '../query/filter.ts'
import { compileFilter, type MatcherOptions, type Predicate } from '../query/matcher.ts'
import { topOf } from '../query/path.ts'
import { parseSort, type SortField } from '../query/sort.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Index } from '../storage/indexes/index-spec.ts'
import type { Slice, Stream } from '../storage/pause.ts'
import type { Row } from '../storage/rows.ts'
import type { View } from '../storage/view.ts'
import { filterRows, passesRows, skipAndLimit, sortRows } from './execute.ts'
import { choosePlan } from './choose-plan.ts'
import type { Natural, Plan } from './plan.ts'

/** The common part of find, count, update, delete and findAndModify. */
export interface QueryRequest {
  filter?: unknown
  sort?: unknown
  hint?: unknown
  collation?: unknown
  /** The evaluated constants of the command's `let`. */
  let?: Document
  skip?: number
  /** 0 is no limit. */
  limit?: number
  now: Date
}

export interface PreparedQuery {
  filter: Filter
  test: Predicate
  sort: SortField[]
  collation: Collation | null
  matcher: MatcherOptions
  skip: number
  limit: number
  hint: unknown
}

function requireFilter(value: unknown): Document {
  if (value === undefined || value === null) return {}
  if (!isDocument(value)) throw typeMismatch('Expected field filter to be of type object')
  return value
}

/** Parses and compiles a query, without a plan. */
export function prepareQuery(request: QueryRequest, collection: Collection | null): PreparedQuery {
  const filter = parseFilter(requireFilter(request.filter))
  const collation = collationOf(request.collation, collection)
  const variables = request.let ?? {}
  const matcher: MatcherOptions = {
    expression: (expression) =>
      compileExpression(expression, { now: request.now, let: variables, text: textOrder(collation) }),
    ...(collation ? { text: collation.order } : {})
  }
  return {
    filter,
    test: compileFilter(filter, matcher),
    sort: parseSort(request.sort),
    collation,
    matcher,
    skip: request.skip ?? 0,
    limit: request.limit === undefined || request.limit === 0 ? Infinity : request.limit,
    hint: request.hint
  }
}

function sameKeys(index: Index, pattern: Document): boolean {
  const asked = Object.entries(pattern)
  return (
    asked.length === index.fields.length &&
    index.fields.every((field, i) => asked[i]?.[0] === field.path && Number(asked[i]?.[1]) === field.direction)
  )
}

function resolveHint(hint: unknown, collection: Collection): Index | Natural | null {
  if (hint === undefined || hint === null) return null
  if (isDocument(hint) && Object.keys(hint).length === 0) return null
  if (isDocument(hint) && '$natural' in hint) return { natural: Number(hint['$natural']) < 0 ? -1 : 1 }
  const index = collection.indexes.find((candidate) =>
    typeof hint === 'string' ? candidate.name === hint : isDocument(hint) && sameKeys(candidate, hint)
  )
  if (!index || index.hidden)
    throw badValue('error processing query: hint provided does not correspond to an existing index')
  return index
}

export const planQuery = (query: PreparedQuery, collection: Collection): Plan =>
  choosePlan({
    filter: query.filter,
    sort: query.sort,
    collation: query.collation,
    indexes: collection.indexes,
    hint: resolveHint(query.hint, collection)
  })

/** Tells whether the plan alone decides which documents match. */
export const isExact = (plan: Plan): boolean =>
  plan.kind === 'none' ||
  (plan.kind === 'index' && plan.exact) ||
  (plan.kind === 'or' && plan.branches.every((branch) => isExact(branch)))

/** Returns the fields that a filter reads; null when it may read any. */
function fieldsOfFilter(filter: Filter): string[] | null {
  if (filter.kind === 'field') return [topOf(filter.path)]
  if (filter.kind === 'expr') return null
  if (filter.kind === 'never') return []
  const parts = filter.parts.map(fieldsOfFilter)
  return parts.every((part) => part !== null) ? parts.flat() : null
}

/** Streams the matching rows: found by the plan, filtered, sorted, skipped and limited. */
export function queryRows(
  view: View,
  collection: Collection,
  query: PreparedQuery,
  slice: Slice,
  plan = planQuery(query, collection)
): Stream<Row> {
  // With nothing left to filter or sort, read exactly the requested rows.
  const plain = isExact(plan) && (query.sort.length === 0 || providesSort(plan)) && !view.inTransaction
  const pass = plain && passesRows(plan) ? query.skip : 0
  const skip = query.skip - pass
  const wanted = skip + query.limit
  const { rows, ordered } = view.rows(collection, plan, slice, {
    wanted: plain && Number.isFinite(wanted) ? wanted : null,
    pass
  })
  const document = (row: Row): Document => view.documentOf(collection, row)
  const whole = isExact(plan) && !view.inTransaction
  const everything = query.filter.kind === 'and' && query.filter.parts.length === 0
  // A single document is likely to be needed whole.
  const tested = plan.kind === 'index' && plan.single ? null : fieldsOfFilter(query.filter)
  const fields = new Set(tested)
  const shown = tested === null ? document : (row: Row): Document => view.fieldsOf(collection, row, fields)
  const matching = whole || everything ? rows : filterRows(rows, (row) => query.test(shown(row)), slice)
  const sortedBy = new Set(query.sort.map(({ path }) => topOf(path)))
  const sorted =
    query.sort.length === 0 || (ordered && providesSort(plan))
      ? matching
      : sortRows(matching, {
          fields: query.sort.filter(({ path }) => path !== '$natural'),
          text: textOrder(query.collation),
          keep: query.skip + query.limit,
          scratch: view.scratch,
          documentOf: (row) => view.fieldsOf(collection, row, sortedBy)
        })
  return skip === 0 && query.limit === Infinity ? sorted : skipAndLimit(sorted, skip, query.limit)
}

export const providesSort = (plan: Plan): boolean =>
  plan.kind === 'none' || ((plan.kind === 'index' || plan.kind === 'scan') && plan.providesSort)

/** Reads a non-negative integer of a command. */
export function countField(value: unknown, name: string): number {
  if (value === undefined || value === null) return 0
  const number = typeof value === 'number' ? value : Number(value)
  if (!Number.isFinite(number)) throw new MongoError(14, `BSON field '${name}' is the wrong type`)
  if (number < 0) throw badValue(`BSON field '${name}' value must be >= 0, actual value '${number}'`)
  return Math.trunc(number)
}
