import { evaluateLet } from '../aggregation/expressions/let.ts'
import { compareText } from '../bson/compare.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { MongoError, unsupported } from '../errors.ts'
import type { Counters } from '../planner/execute.ts'
import type { Plan } from '../planner/plan.ts'
import { describePlan } from '../planner/explain.ts'
import { countField, planQuery, prepareQuery, queryRows } from '../planner/query.ts'
import { SERVER_VERSION } from '../version.ts'
import { PAUSE } from '../storage/pause.ts'
import { splitHead } from './aggregate.ts'
import type { CommandContext, Handler } from './context.ts'

/** Returns the query of a command as a `find` command. */
function queryOf(command: Document): Document {
  const [name = ''] = Object.keys(command)
  switch (name) {
    case 'find':
      return {
        collection: command['find'],
        filter: command['filter'],
        sort: command['sort'],
        hint: command['hint'],
        collation: command['collation'],
        skip: command['skip'],
        limit: command['limit'],
        projection: command['projection']
      }
    case 'count':
      return {
        collection: command['count'],
        filter: command['query'],
        hint: command['hint'],
        collation: command['collation'],
        skip: command['skip'],
        limit: command['limit']
      }
    case 'distinct':
      return { collection: command['distinct'], filter: command['query'], collation: command['collation'] }
    case 'findAndModify':
      return {
        collection: command['findAndModify'],
        filter: command['query'],
        sort: command['sort'],
        hint: command['hint'],
        collation: command['collation'],
        limit: 1
      }
    case 'update':
    case 'delete': {
      const list = command[name === 'update' ? 'updates' : 'deletes']
      const first: unknown = Array.isArray(list) ? list[0] : undefined
      if (!isDocument(first)) throw new MongoError(2, 'explained write batches must be of size 1')
      return { collection: command[name], filter: first['q'], hint: first['hint'], collation: first['collation'] }
    }
    case 'aggregate':
      return {
        collection: command['aggregate'],
        hint: command['hint'],
        collation: command['collation'],
        ...splitHead(Array.isArray(command['pipeline']) ? command['pipeline'].filter(isDocument) : []).request
      }
    default:
      throw unsupported(`explain of ${name}`)
  }
}

/** https://www.mongodb.com/docs/manual/reference/command/explain/ */
export const explain: Handler = async (context) => {
  const { command, database, engine } = context
  const inner = command['explain']
  if (!isDocument(inner)) throw new MongoError(14, 'explain command requires a nested object')
  const asked = queryOf(inner)
  const namespace = `${database}.${String(asked['collection'])}`
  const verbosity = command['verbosity'] ?? 'allPlansExecution'
  const collection = context.view.collection(namespace)
  const query = prepareQuery(
    {
      filter: asked['filter'],
      sort: asked['sort'],
      hint: asked['hint'],
      collation: asked['collation'],
      skip: countField(asked['skip'], 'skip'),
      limit: countField(asked['limit'], 'limit'),
      let: evaluateLet(inner['let'], { now: context.now, text: compareText }),
      now: context.now
    },
    collection
  )
  const plan = collection ? planQuery(query, collection) : null
  const answer: Document = {
    explainVersion: '1',
    queryPlanner: {
      namespace,
      parsedQuery: asked['filter'] ?? {},
      indexFilterSet: false,
      winningPlan: plan ? describePlan(plan, query, asked['projection']) : { stage: 'EOF' },
      rejectedPlans: []
    },
    command: inner,
    serverInfo: { host: engine.set.host, version: SERVER_VERSION },
    ok: 1
  }
  if (verbosity === 'queryPlanner') return answer
  const counters: Counters = { keys: 0, documents: 0 }
  const started = performance.now()
  const found = collection && plan ? await countRows(context, { ...query, plan, collection, counters }) : 0
  answer['executionStats'] = {
    executionSuccess: true,
    nReturned: found,
    executionTimeMillis: Math.round(performance.now() - started),
    totalKeysExamined: counters.keys,
    totalDocsExamined: counters.documents,
    executionStages: { ...(plan ? describePlan(plan, query, asked['projection']) : { stage: 'EOF' }), nReturned: found }
  }
  return answer
}

type Counted = Parameters<typeof queryRows>[2] & {
  plan: Plan
  collection: Parameters<typeof queryRows>[1]
  counters: Counters
}

async function countRows(context: CommandContext, { plan, collection, counters, ...query }: Counted): Promise<number> {
  const view = context.engine.countingView(counters)
  let n = 0
  for (const row of queryRows(view, collection, query, context.slice, plan)) {
    if (row === PAUSE) await context.pause()
    else n++
  }
  return n
}
