import { isDocument, type Document } from '../bson/document.ts'
import { failedToParse, MongoError } from '../errors.ts'
import { prepareQuery, type PreparedQuery } from '../planner/query.ts'
import { compileProjection } from '../query/projection.ts'
import { flagOf } from './command-fields.ts'
import { namespaceOf, untilFree, type CommandContext, type Handler } from './context.ts'
import { applyTo, updaterOf, withFirstMatch } from './modify.ts'
import { upsert } from './update.ts'

/** https://www.mongodb.com/docs/manual/reference/command/findAndModify/ */
export const findAndModify: Handler = async (context) => {
  const { command, statements } = context
  const done = statements.done(0)
  if (done) return { ...done, ok: 1 }
  const field = command['findAndModify'] === undefined ? 'findandmodify' : 'findAndModify'
  const result = await run(context, namespaceOf(context, field))
  context.checkCommits()
  statements.keep(0, result)
  return { ...result, ok: 1 }
}

async function run(context: CommandContext, namespace: string, restarts = 0): Promise<Document> {
  const { command, view } = context
  const removing = flagOf(command, 'remove')
  const upserting = flagOf(command, 'upsert')
  const showsNew = flagOf(command, 'new')
  const update = command['update']
  if (removing && update !== undefined) throw failedToParse('Cannot specify both an update and remove=true')
  if (!removing && update === undefined) throw failedToParse('Either an update or remove=true must be specified')
  if (removing && upserting) throw failedToParse('Cannot specify both upsert=true and remove=true')
  if (removing && showsNew) {
    throw failedToParse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document")
  }
  const collection = view.collection(namespace)
  const query = prepareQuery(
    {
      filter: command['query'],
      sort: command['sort'],
      hint: command['hint'],
      collation: command['collation'],
      let: context.variables,
      now: context.now
    },
    collection
  )
  const shown = (document: Document): Document => project(command['fields'], query, document)

  if (removing) {
    return untilFree(context, async () => {
      const value =
        collection &&
        (await withFirstMatch(context, collection, query, (row) => {
          const before = shown(view.documentOf(collection, row))
          view.remove(collection, row)
          return before
        }))
      return { lastErrorObject: { n: value ? 1 : 0 }, value }
    })
  }

  const updater = updaterOf(context, update, query, { arrayFilters: command['arrayFilters'] })
  const found = collection
    ? await untilFree(context, () =>
        withFirstMatch(context, collection, query, (row) => {
          const before = view.documentOf(collection, row)
          const { document } = applyTo(context, collection, query, updater, row)
          return {
            lastErrorObject: { n: 1, updatedExisting: true },
            value: shown(showsNew ? document : before)
          }
        })
      )
    : null
  if (found) return found
  if (!upserting) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null }
  const made = await upsert(context, namespace, query, updater, restarts)
  if (!made) return run(context, namespace, restarts + 1)
  return {
    lastErrorObject: { n: 1, updatedExisting: false, upserted: made['_id'] },
    value: showsNew ? shown(made) : null
  }
}

function project(fields: unknown, query: PreparedQuery, document: Document): Document {
  if (fields === undefined || fields === null) return document
  if (!isDocument(fields)) throw new MongoError(14, "BSON field 'findAndModify.fields' is the wrong type")
  return Object.keys(fields).length === 0
    ? document
    : compileProjection(fields, { ...query.matcher, query: query.filter })(document)
}
