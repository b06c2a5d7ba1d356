import { isDocument, type Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import { failedToParse, MongoError, typeMismatch, unsupported } from '../errors.ts'
import { documentsOf } from '../aggregation/stages/joins.ts'
import { compilePipeline } from '../aggregation/stages/pipeline.ts'
import { streamOf, type PipelineOptions } from '../aggregation/stages/stage.ts'
import { collationOf } from '../query/collation.ts'
import { fieldsOfGroup } from '../query/fields-needed.ts'
import { prepareQuery, type QueryRequest } from '../planner/query.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import { batchSizeOf, firstBatch } from './batch.ts'
import { changeStream } from './change-stream.ts'
import { namespaceOf, type CommandContext, type Handler } from './context.ts'
import { countMatching } from './count.ts'
import { documentsOfRows, pipelineOptions } from './pipeline-options.ts'
import { writeOutput } from './output-stages.ts'
import { empty } from './find.ts'

/** https://www.mongodb.com/docs/manual/reference/command/aggregate/ */
export const aggregate: Handler = async (context) => {
  const { command, database } = context
  const pipeline = command['pipeline']
  if (!Array.isArray(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array")
  if (!isDocument(command['cursor']))
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument")
  if (command['explain'] === true) throw unsupported('aggregate with explain: the command explain is')
  const stages = pipeline.map((stage: unknown) => {
    if (!isDocument(stage)) throw typeMismatch("Each element of the 'pipeline' array must be an object")
    if (Object.keys(stage).length !== 1) {
      throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.')
    }
    return stage
  })
  const [first] = stages
  if (first && '$changeStream' in first) return changeStream(context, first['$changeStream'], stages.slice(1))
  const collectionless = command['aggregate'] === 1
  const namespace = collectionless ? `${database}.$cmd.aggregate` : namespaceOf(context, 'aggregate')
  const last = stages.at(-1)
  const writes = last !== undefined && ('$merge' in last || '$out' in last)
  const body = writes ? stages.slice(0, -1) : stages
  const collection = context.view.collection(namespace)
  const collation = collationOf(command['collation'], collection)
  const documents = await source(context, namespace, body, pipelineOptions(context, collation))
  if (writes) {
    context.wrote = true
    await writeOutput(context, last, documents, { ...pipelineOptions(context, collation), namespace })
  }
  return firstBatch(context, writes ? empty() : encoded(documents), {
    namespace,
    batchSize: batchSizeOf(command['cursor']['batchSize']),
    singleBatch: false
  })
}

function* encoded(documents: Stream<Document>): Stream<Uint8Array> {
  for (const document of documents) yield document === PAUSE ? document : encodeDocument(document)
}

/** Splits off the head of a pipeline that a query can answer, which may use an index and stop early. */
export function splitHead(stages: readonly Document[]): {
  request: Omit<QueryRequest, 'now'>
  rest: readonly Document[]
} {
  const request: Omit<QueryRequest, 'now'> = {}
  let at = 0
  for (; at < stages.length; at++) {
    const stage = stages[at] ?? {}
    if (
      isDocument(stage['$match']) &&
      request.sort === undefined &&
      request.skip === undefined &&
      request.limit === undefined
    ) {
      request.filter = request.filter === undefined ? stage['$match'] : { $and: [request.filter, stage['$match']] }
    } else if (
      isDocument(stage['$sort']) &&
      request.sort === undefined &&
      request.skip === undefined &&
      request.limit === undefined &&
      Object.keys(stage['$sort']).length > 0
    ) {
      request.sort = stage['$sort']
    } else if (
      typeof stage['$skip'] === 'number' &&
      stage['$skip'] >= 0 &&
      request.skip === undefined &&
      request.limit === undefined
    ) {
      request.skip = stage['$skip']
    } else if (typeof stage['$limit'] === 'number' && stage['$limit'] > 0 && request.limit === undefined) {
      request.limit = stage['$limit']
    } else break
  }
  return { request, rest: stages.slice(at) }
}

async function source(
  context: CommandContext,
  namespace: string,
  stages: readonly Document[],
  options: PipelineOptions
): Promise<Stream<Document>> {
  const [first] = stages
  const none = new Map<string, unknown>()
  if (first && '$documents' in first)
    return compilePipeline(stages.slice(1), options)(streamOf(documentsOf(first, options)(none)), none)
  if (first && '$collStats' in first)
    return compilePipeline(stages.slice(1), options)(streamOf([await collectionCount(context, namespace, first)]), none)
  if (context.command['aggregate'] === 1)
    throw new MongoError(
      73,
      `{aggregate: 1} is not valid for '${Object.keys(first ?? {})[0] ?? ''}'; a collection is required.`
    )
  const { request, rest } = splitHead(stages)
  const full: QueryRequest = {
    ...request,
    hint: context.command['hint'],
    collation: context.command['collation'],
    let: context.variables,
    now: context.now
  }
  const counted = await quickCount(context, namespace, full, rest)
  if (counted) return streamOf(counted)
  const run = compilePipeline(rest, options)
  const collection = context.view.collection(namespace)
  const query = prepareQuery(full, collection)
  return run(collection ? documentsOfRows(context, collection, query, fieldsOfGroup(rest[0])) : empty(), none)
}

/** Answers `countDocuments` of the drivers without reading documents: a `$match`, then a `$group` that counts. */
async function quickCount(
  context: CommandContext,
  namespace: string,
  request: QueryRequest,
  rest: readonly Document[]
): Promise<Document[] | null> {
  const [only, ...more] = rest
  const group = only?.['$group']
  if (more.length > 0 || !isDocument(group) || Object.keys(group).length !== 2) return null
  const [field] = Object.keys(group).filter((name) => name !== '_id')
  const sum = field === undefined ? undefined : group[field]
  const constant = group['_id'] === 1 || group['_id'] === null
  if (field === undefined || !constant || !isDocument(sum) || sum['$sum'] !== 1 || Object.keys(sum).length !== 1)
    return null
  const n = await countMatching(context, namespace, request)
  return n === 0 ? [] : [{ _id: group['_id'], [field]: n }]
}

async function collectionCount(context: CommandContext, namespace: string, stage: Document): Promise<Document> {
  const spec = stage['$collStats']
  const collection = context.view.collection(namespace)
  if (!collection)
    throw new MongoError(
      26,
      `Unable to retrieve count in $collStats stage :: caused by :: Collection [${namespace}] not found.`
    )
  if (!isDocument(spec) || Object.keys(spec).some((name) => name !== 'count'))
    throw new MongoError(115, '$collStats answers count only')
  return { ns: namespace, host: context.engine.set.host, localTime: context.now, count: collection.count }
}
