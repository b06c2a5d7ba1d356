import { compareValues } from '../bson/compare.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { failedToParse, MongoError, unsupported } from '../errors.ts'
import { prepareQuery, type PreparedQuery } from '../planner/query.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import { upsertDocument } from '../update/upsert.ts'
import type { Updater } from '../update/update.ts'
import { namespaceOf, untilFree, type CommandContext, type Handler } from './context.ts'
import { applyTo, forEachMatch, updaterOf, withFirstMatch } from './modify.ts'
import { runStatements, statementsOf, replyToWrites } from './writes.ts'

/** https://www.mongodb.com/docs/manual/reference/command/update/ */
export const update: Handler = async (context) => {
  const { command } = context
  const namespace = namespaceOf(context, 'update')
  let n = 0
  let nModified = 0
  const upserted: Document[] = []
  const errors = await runStatements(
    context,
    statementsOf(command, 'updates'),
    (statement) => updateStatement(context, namespace, statement),
    (result, index) => {
      n += Number(result['n'])
      nModified += Number(result['nModified'])
      if (Object.hasOwn(result, '_id')) upserted.push({ index, _id: result['_id'] })
    }
  )
  return replyToWrites({ n, nModified, ...(upserted.length > 0 ? { upserted } : {}) }, errors)
}

async function updateStatement(
  context: CommandContext,
  namespace: string,
  statement: Document,
  restarts = 0
): Promise<Document> {
  const { view } = context
  const multi = statement['multi'] === true
  const collection = view.collection(namespace)
  if (statement['sort'] !== undefined && multi) throw failedToParse('Cannot specify sort with multi=true')
  const query = prepareQuery(
    {
      filter: statement['q'],
      hint: statement['hint'],
      collation: statement['collation'],
      sort: statement['sort'],
      let: context.variables,
      now: context.now
    },
    collection
  )
  const updater = updaterOf(context, statement['u'], query, {
    arrayFilters: statement['arrayFilters'],
    constants: statement['c']
  })
  if (updater.replaces && multi) throw failedToParse('multi update is not supported for replacement-style update')
  if (isDocument(statement['collation']) && statement['collation']['locale'] === undefined)
    throw unsupported('collation without a locale')

  const found = collection
    ? await (multi ? updateMany : updateOne)(context, collection, query, updater)
    : { n: 0, nModified: 0 }
  if (Number(found['n']) > 0 || statement['upsert'] !== true) return found
  const made = await upsert(context, namespace, query, updater, restarts)
  return made ? { n: 1, nModified: 0, _id: made['_id'] } : updateStatement(context, namespace, statement, restarts + 1)
}

const updateOne = (
  context: CommandContext,
  collection: Collection,
  query: PreparedQuery,
  updater: Updater
): Promise<Document> =>
  untilFree(context, async () => {
    const done = await withFirstMatch(context, collection, query, (row) =>
      applyTo(context, collection, query, updater, row)
    )
    return done ? { n: 1, nModified: done.changed ? 1 : 0 } : { n: 0, nModified: 0 }
  })

async function updateMany(
  context: CommandContext,
  collection: Collection,
  query: PreparedQuery,
  updater: Updater
): Promise<Document> {
  let n = 0
  let nModified = 0
  await forEachMatch(context, collection, query, (row) => {
    const { changed } = applyTo(context, collection, query, updater, row)
    n++
    if (changed) nModified++
  })
  return { n, nModified }
}

/**
 * How often an upsert starts over, at most. Some keys are equal although the query does not find their document: under the
 * collation of the index, or null for a field in an empty array.
 */
const MOST_RESTARTS = 10

/**
 * Inserts the document that the query and the update describe. Returns null when another client has inserted it in the
 * meantime (a duplicate of a unique key in the query): the statement then starts over, as in MongoDB. `restarts`: how often it
 * has done so.
 */
export async function upsert(
  context: CommandContext,
  namespace: string,
  query: PreparedQuery,
  updater: Updater,
  restarts: number
): Promise<Document | null> {
  const document = upsertDocument(query.filter, updater)
  try {
    await untilFree(context, () => context.view.insert(context.view.ensure(namespace), document))
    return document
  } catch (error) {
    if (
      error instanceof MongoError &&
      error.code === 11000 &&
      !context.view.inTransaction &&
      restarts < MOST_RESTARTS &&
      queryNamesKey(query, error)
    )
      return null
    throw error
  }
}

/**
 * MongoDB retries an upsert only when the query consists of exactly the equalities of the violated key. Any other condition, or
 * an update that changes the key, may be the reason why the document with that key did not match: a retry would fail again.
 */
function queryNamesKey(query: PreparedQuery, error: MongoError): boolean {
  const { keyValue } = error.details
  if (!isDocument(keyValue)) return false
  const parts = query.filter.kind === 'and' ? query.filter.parts : [query.filter]
  return (
    parts.length === Object.keys(keyValue).length &&
    parts.every(
      (part) =>
        part.kind === 'field' &&
        part.leaf.op === 'eq' &&
        Object.hasOwn(keyValue, part.path) &&
        compareValues(part.leaf.value, keyValue[part.path]) === 0
    )
  )
}
