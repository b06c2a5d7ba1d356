import { type Document, isDocument } from '../bson/document.ts'
import { textOrder } from '../query/collation.ts'
import { compilePipelineUpdate } from '../aggregation/stages/pipeline-update.ts'
import { parseUpdate, type Updater } from '../update/update.ts'
import { type PreparedQuery, queryRows } from '../planner/query.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import { changedRow, type Row } from '../storage/rows.ts'
import { PAUSE } from '../storage/pause.ts'
import { untilFree, type CommandContext } from './context.ts'

export const updaterOf = (
  context: CommandContext,
  update: unknown,
  query: PreparedQuery,
  more: { arrayFilters?: unknown; constants?: unknown }
): Updater =>
  parseUpdate(update, {
    ...query.matcher,
    text: textOrder(query.collation),
    now: () => context.now,
    timestamp: () => context.engine.clock.next(),
    arrayFilters: Array.isArray(more.arrayFilters) ? more.arrayFilters.filter(isDocument) : [],
    pipeline: (stages) =>
      compilePipelineUpdate(stages, {
        now: context.now,
        let: { ...context.variables, ...asDocument(more.constants) },
        text: textOrder(query.collation)
      })
  })

const asDocument = (value: unknown): Document => (isDocument(value) ? value : {})

/**
 * Finds the first matching row and passes it to `act` synchronously, so that no other command runs between the read and
 * the write. Returns null when nothing matches.
 */
export async function withFirstMatch<T>(
  context: CommandContext,
  collection: Collection,
  query: PreparedQuery,
  act: (row: Row) => T
): Promise<T | null> {
  for (;;) {
    let paused = false
    const stream = queryRows(context.view, collection, { ...query, limit: 1 }, context.slice)
    for (;;) {
      const step = stream.next()
      if (step.done) return null
      if (step.value === PAUSE) {
        paused = true
        await context.pause()
        continue
      }
      const row = paused ? freshMatch(context, collection, query, step.value) : step.value
      if (row) return act(row)
      break
    }
  }
}

/** Passes every matching row to `act`, in its present version at that time. */
export async function forEachMatch(
  context: CommandContext,
  collection: Collection,
  query: PreparedQuery,
  act: (row: Row) => void
): Promise<void> {
  for (const row of await rowsToWrite(context, collection, query)) {
    if (context.slice.isOver()) await context.pause()
    await untilFree(context, () => {
      const fresh = freshMatch(context, collection, query, row)
      if (fresh) act(fresh)
    })
  }
}

/** Collects the ids of all rows of a query before the first write, so that a write never meets its own results. */
async function rowsToWrite(
  context: CommandContext,
  collection: Collection,
  query: PreparedQuery
): Promise<Pick<Row, 'rid'>[]> {
  const found: Pick<Row, 'rid'>[] = []
  for (const row of queryRows(context.view, collection, query, context.slice)) {
    if (row === PAUSE) await context.pause()
    else found.push({ rid: row.rid })
  }
  return found
}

/** Returns the present version of a row if it still matches. */
function freshMatch(
  context: CommandContext,
  collection: Collection,
  query: PreparedQuery,
  row: Pick<Row, 'rid'>
): Row | null {
  const fresh = context.view.current(collection, row)
  return fresh && query.test(context.view.documentOf(collection, fresh)) ? fresh : null
}

/** Applies an update to a row. Returns false when it changes nothing. */
export function applyTo(
  context: CommandContext,
  collection: Collection,
  query: PreparedQuery,
  updater: Updater,
  row: Row
): { changed: boolean; document: Document } {
  const before = context.view.documentOf(collection, row)
  const { document, paths } = updater.apply(before, { query: query.filter, inserting: false })
  const after = changedRow(row, document)
  if (!updater.alwaysChanges && Buffer.compare(row.bson, after.bson) === 0) return { changed: false, document: before }
  context.view.replace(collection, row, after, updater.replaces ? 'replaced' : paths)
  return { changed: true, document }
}
