import type { Document } from '../bson/document.ts'
import { failedToParse } from '../errors.ts'
import { prepareQuery } from '../planner/query.ts'
import { namespaceOf, untilFree, type CommandContext, type Handler } from './context.ts'
import { forEachMatch, withFirstMatch } from './modify.ts'
import { runStatements, statementsOf, replyToWrites } from './writes.ts'

/** https://www.mongodb.com/docs/manual/reference/command/delete/ */
export const deleteCommand: Handler = async (context) => {
  const namespace = namespaceOf(context, 'delete')
  let n = 0
  const errors = await runStatements(
    context,
    statementsOf(context.command, 'deletes'),
    (statement) => deleteStatement(context, namespace, statement),
    (result) => {
      n += Number(result['n'])
    }
  )
  return replyToWrites({ n }, errors)
}

async function deleteStatement(context: CommandContext, namespace: string, statement: Document): Promise<Document> {
  const { view } = context
  const limit = Number(statement['limit'])
  if (limit !== 0 && limit !== 1) {
    throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${String(statement['limit'])}`)
  }
  const collection = view.collection(namespace)
  const query = prepareQuery(
    {
      filter: statement['q'],
      hint: statement['hint'],
      collation: statement['collation'],
      let: context.variables,
      now: context.now
    },
    collection
  )
  if (!collection) return { n: 0 }
  if (limit === 1) {
    return untilFree(context, async () => {
      const removed = await withFirstMatch(context, collection, query, (row) => {
        view.remove(collection, row)
        return true
      })
      return { n: removed ? 1 : 0 }
    })
  }
  let n = 0
  await forEachMatch(context, collection, query, (row) => {
    view.remove(collection, row)
    n++
  })
  return { n }
}
