import type { Document } from '../bson/document.ts'
import type { PipelineOptions } from '../aggregation/stages/stage.ts'
import { prepareQuery, queryRows, type PreparedQuery } from '../planner/query.ts'
import { textOrder, type Collation } from '../query/collation.ts'
import { compileFilter } from '../query/matcher.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import type { CommandContext } from './context.ts'
import { empty } from './find.ts'

/** Returns what the stages of a pipeline need from their command. */
export function pipelineOptions(context: CommandContext, collation: Collation | null): PipelineOptions {
  const { view, database } = context
  return {
    now: context.now,
    let: context.variables,
    text: textOrder(collation),
    random: Math.random,
    memory: context.engine.memory,
    scratch: view.scratch,
    read: (name, filter, sort) => {
      const collection = view.collection(`${database}.${name}`)
      if (!collection) return empty()
      const all = prepareQuery({ now: context.now, collation: collation?.spec ?? { locale: 'simple' } }, collection)
      return documentsOfRows(context, collection, {
        ...all,
        sort: [...sort],
        filter,
        test: compileFilter(filter, all.matcher)
      })
    }
  }
}

/** Streams the documents of a query; only their `fields` when those are known. */
export function* documentsOfRows(
  context: CommandContext,
  collection: Parameters<typeof queryRows>[1],
  query: PreparedQuery,
  fields: ReadonlySet<string> | null = null
): Stream<Document> {
  const { view } = context
  for (const row of queryRows(view, collection, query, context.slice)) {
    if (row === PAUSE) yield row
    else yield fields === null ? view.documentOf(collection, row) : view.fieldsOf(collection, row, fields)
  }
}
