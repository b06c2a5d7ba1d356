import { MongoError } from '../errors.ts'
import { fillTimestamps } from '../update/fill-timestamps.ts'
import { withId } from '../update/upsert.ts'
import { namespaceOf, untilFree, type Handler } from './context.ts'
import { runStatements, statementsOf, replyToWrites } from './writes.ts'

/** https://www.mongodb.com/docs/manual/reference/command/insert/ */
export const insert: Handler = async (context) => {
  const { command, view, engine } = context
  const namespace = namespaceOf(context, 'insert')
  const documents = statementsOf(command, 'documents')
  let n = 0
  const errors = await runStatements(
    context,
    documents,
    async (asked) => {
      for (const field of Object.keys(asked)) {
        if (field === '') continue
        if (field.startsWith('$')) {
          throw new MongoError(52, `Document can't have $ prefixed field names: ${field}`)
        }
      }
      const document = withId(fillTimestamps(asked, engine.clock.next))
      await untilFree(context, () => view.insert(view.ensure(namespace), document))
      return { n: 1 }
    },
    () => {
      n++
    }
  )
  return replyToWrites({ n }, errors)
}
