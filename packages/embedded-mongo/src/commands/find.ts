import { fieldsOfProjection } from '../query/fields-needed.ts'
import { encodeDocument } from '../bson/encode.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { typeMismatch, unsupported } from '../errors.ts'
import { compileProjection } from '../query/projection.ts'
import { countField, prepareQuery, queryRows } from '../planner/query.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import type { Row } from '../storage/rows.ts'
import { batchSizeOf, firstBatch } from './batch.ts'
import { namespaceOf, type Handler } from './context.ts'

const refused = ['tailable', 'awaitData', 'returnKey', 'showRecordId', 'min', 'max', 'oplogReplay'] as const

/** https://www.mongodb.com/docs/manual/reference/command/find/ */
export const find: Handler = async (context) => {
  const { command, view } = context
  for (const option of refused) {
    if (command[option] === true || isDocument(command[option])) throw unsupported(`find option ${option}`)
  }
  const namespace = namespaceOf(context, 'find')
  const collection = view.collection(namespace)
  // Old drivers send a negative limit for a single batch.
  const limit = Math.abs(Number(command['limit'] ?? 0))
  const query = prepareQuery(
    {
      filter: command['filter'],
      sort: command['sort'],
      hint: command['hint'],
      collation: command['collation'],
      let: context.variables,
      skip: countField(command['skip'], 'skip'),
      limit: countField(limit, 'limit'),
      now: context.now
    },
    collection
  )
  const project = projectionOf(command['projection'], query)
  const kept = fieldsOfProjection(command['projection'])
  const stream = collection
    ? output(queryRows(view, collection, query, context.slice), project, (row) =>
        kept === null ? view.documentOf(collection, row) : view.fieldsOf(collection, row, kept)
      )
    : empty()
  return firstBatch(context, stream, {
    namespace,
    batchSize: batchSizeOf(command['batchSize']),
    singleBatch: command['singleBatch'] === true || Number(command['limit'] ?? 0) < 0,
    noTimeout: command['noCursorTimeout'] === true
  })
}

type Project = ((document: Document) => Document) | null

function projectionOf(value: unknown, query: ReturnType<typeof prepareQuery>): Project {
  if (value === undefined || value === null) return null
  if (!isDocument(value)) throw typeMismatch('Expected field projection to be of type object')
  if (Object.keys(value).length === 0) return null
  return compileProjection(value, { ...query.matcher, query: query.filter })
}

/** Streams the results. Without a projection these are the stored bytes. */
function* output(rows: Stream<Row>, project: Project, documentOf: (row: Row) => Document): Stream<Uint8Array> {
  for (const row of rows) {
    if (row === PAUSE) yield row
    else yield project ? encodeDocument(project(documentOf(row))) : row.bson
  }
}

export function* empty(): Stream<never> {}
