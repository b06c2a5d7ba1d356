import { isDocument, type Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import { MongoError } from '../errors.ts'
import { compilePipeline } from '../aggregation/stages/pipeline.ts'
import { createEventSource, parseChangeStream } from '../change-log/change-stream.ts'
import type { Scope } from '../change-log/scope.ts'
import { makeToken } from '../change-log/token.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import { batchSizeOf, firstBatch } from './batch.ts'
import { pipelineOptions } from './pipeline-options.ts'
import type { CommandContext, Reply } from './context.ts'

/** Stages that may follow `$changeStream`: those that process one event at a time. */
const allowed = new Set(['$match', '$project', '$addFields', '$set', '$unset', '$replaceRoot', '$replaceWith'])

function scopeOf({ command, database }: CommandContext, spec: unknown): Scope {
  if (command['aggregate'] !== 1) return { kind: 'collection', name: `${database}.${String(command['aggregate'])}` }
  return isDocument(spec) && spec['allChangesForCluster'] === true
    ? { kind: 'all' }
    : { kind: 'database', name: database }
}

/** Opens a change stream: a cursor that waits for new events instead of ending. */
export function changeStream(context: CommandContext, spec: unknown, stages: readonly Document[]): Promise<Reply> {
  const { engine, command, database } = context
  if (context.view.inTransaction)
    throw new MongoError(263, '$changeStream is not allowed in a multi-document transaction')
  for (const stage of stages) {
    const [name = ''] = Object.keys(stage)
    if (!allowed.has(name)) throw new MongoError(20, `${name} is not permitted in a $changeStream pipeline`)
  }
  const scope = scopeOf(context, spec)
  // `parseChangeStream` stores the watched scope, whose changes are logged from now on.
  context.wrote = true
  const options = parseChangeStream(spec, scope, engine.changes)
  const source = createEventSource(engine.changes, scope, options, (namespace, id) => {
    const collection = engine.store.catalog.get(namespace)
    const row = collection && engine.rows.byId(collection, id)
    return row && collection ? engine.rows.documentOf(collection, row) : null
  })
  const events = compilePipeline(stages, pipelineOptions(context, null))(source.events, new Map())
  let token: unknown = makeToken(options.after)
  const tokens = function* (): Stream<Uint8Array> {
    for (const event of events) {
      if (event === PAUSE) {
        token = makeToken(source.place())
        yield event
        continue
      }
      if (!isDocument(event['_id']) || typeof event['_id']['_data'] !== 'string') {
        throw new MongoError(
          280,
          'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. Modifying the _id field of an event makes it impossible to resume the stream from that point. Only transformations that retain the unmodified _id field are allowed.'
        )
      }
      token = event['_id']
      yield encodeDocument(event)
    }
  }
  const closed = new AbortController()
  return firstBatch(context, tokens(), {
    namespace:
      command['aggregate'] === 1 ? `${database}.$cmd.aggregate` : `${database}.${String(command['aggregate'])}`,
    batchSize: isDocument(command['cursor']) ? batchSizeOf(command['cursor']['batchSize']) : null,
    singleBatch: false,
    tail: {
      wait: (maxMs, signal) =>
        waitForEvent(engine.changes, source.place, AbortSignal.any([signal, closed.signal]), maxMs),
      token: () => token
    },
    onClose: () => closed.abort(),
    extra: () => ({ postBatchResumeToken: token })
  })
}

async function waitForEvent(
  log: CommandContext['engine']['changes'],
  place: () => number,
  signal: AbortSignal,
  maxMs: number
): Promise<void> {
  if (log.head() > place()) return
  await log.next(signal, maxMs)
}
