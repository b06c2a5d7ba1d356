import { countField, isExact, planQuery, prepareQuery, queryRows } from '../planner/query.ts'
import type { Plan } from '../planner/plan.ts'
import { countDistinct, countRanges, type IndexRanges } from '../storage/scan.ts'
import { compareValues } from '../bson/compare.ts'
import { createNames } from '../aggregation/expressions/sets.ts'
import { MAX_DOCUMENT_BYTES } from '../bson/encode.ts'
import { MongoError } from '../errors.ts'
import { textOrder } from '../query/collation.ts'
import { pathElements } from '../query/path.ts'
import { namespaceOf, type CommandContext, type Handler } from './context.ts'
import { PAUSE } from '../storage/pause.ts'
import { integerValue } from '../bson/numbers.ts'

/** https://www.mongodb.com/docs/manual/reference/command/count/ */
export const count: Handler = async (context) => {
  const { command } = context
  const limit = Math.abs(Number(command['limit'] ?? 0))
  const skip = countField(command['skip'], 'skip')
  const n = await countMatching(context, namespaceOf(context, 'count'), {
    filter: command['query'],
    hint: command['hint'],
    collation: command['collation'],
    skip,
    limit,
    now: context.now
  })
  return { n: integerValue(n), ok: 1 }
}

/** Counts documents, without reading them when the catalog or an index is enough. */
export async function countMatching(
  context: CommandContext,
  namespace: string,
  request: Parameters<typeof prepareQuery>[0]
): Promise<number> {
  const { view, engine } = context
  const collection = view.collection(namespace)
  const query = prepareQuery(request, collection)
  if (!collection) return 0
  const cut = (n: number): number => Math.min(Math.max(n - query.skip, 0), query.limit)
  const everything = query.filter.kind === 'and' && query.filter.parts.length === 0 && query.hint === undefined
  const known = everything ? view.count(collection) : null
  if (known !== null) return cut(known)
  const plan = planQuery(query, collection)
  const counted = view.inTransaction || !isExact(plan) ? null : countByIndex(engine, plan, query.skip + query.limit)
  if (counted !== null) return cut(counted)
  const stream = queryRows(view, collection, { ...query, sort: [] }, context.slice, plan)
  let n = 0
  for (;;) {
    const step = stream.next()
    if (step.done) return n
    if (step.value === PAUSE) await context.pause()
    else n++
  }
}

/** Counts the documents of an exact plan from its indexes alone; null when that is impossible. */
function countByIndex({ store }: CommandContext['engine'], plan: Plan, limit: number): number | null {
  if (plan.kind === 'index' && plan.index.multikey.size === 0) return countRanges(store.writer, plan.index, plan.ranges)
  const places = placesOf(plan)
  return places === null ? null : countDistinct(store.writer, places, limit)
}

function placesOf(plan: Plan): IndexRanges[] | null {
  if (plan.kind === 'none') return []
  if (plan.kind === 'index') return [plan]
  if (plan.kind === 'scan') return null
  const branches = plan.branches.map(placesOf)
  return branches.every((branch) => branch !== null) ? branches.flat() : null
}

/** https://www.mongodb.com/docs/manual/reference/command/distinct/ */
export const distinct: Handler = async (context) => {
  const { command, view } = context
  const collection = view.collection(namespaceOf(context, 'distinct'))
  const query = prepareQuery(
    { filter: command['query'], hint: command['hint'], collation: command['collation'], now: context.now },
    collection
  )
  if (!collection) return { values: [], ok: 1 }
  const key = String(command['key'])
  const text = textOrder(query.collation)
  const nameOf = createNames(text)
  const values = new Map<string, unknown>()
  let bytes = 0
  for (const row of queryRows(view, collection, query, context.slice)) {
    if (row === PAUSE) {
      await context.pause()
      continue
    }
    for (const value of pathElements(view.documentOf(collection, row), key)) {
      const name = nameOf(value)
      if (values.has(name)) continue
      values.set(name, value)
      bytes += name.length
      if (bytes > MAX_DOCUMENT_BYTES) throw new MongoError(17217, 'distinct too big, 16mb cap')
    }
  }
  return { values: [...values.values()].toSorted((a, b) => compareValues(a, b, text)), ok: 1 }
}
