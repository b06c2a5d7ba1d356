import { randomUUID } from 'node:crypto'
import { isDocument, typeName, type Document } from '../bson/document.ts'
import { failedToParse, MongoError } from '../errors.ts'
import { compilePipelineUpdate } from '../aggregation/stages/pipeline-update.ts'
import type { PipelineOptions } from '../aggregation/stages/stage.ts'
import { compileExpression } from '../aggregation/expressions/expression.ts'
import { plainValue } from '../query/path.ts'
import { prepareQuery } from '../planner/query.ts'
import { parseIndex } from '../storage/indexes/index-spec.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import { createSorter } from '../storage/sorter.ts'
import { documentForm } from '../aggregation/stages/pipeline.ts'
import { changedRow } from '../storage/rows.ts'
import { keepId } from '../update/update.ts'
import { withId } from '../update/upsert.ts'
import { untilFree, type CommandContext } from './context.ts'
import { withFirstMatch } from './modify.ts'

/** Executes the `$merge` or `$out` at the end of a pipeline. */
export async function writeOutput(
  context: CommandContext,
  stage: Document,
  documents: Stream<Document>,
  options: PipelineOptions & { /** Where the documents come from. */ namespace: string }
): Promise<void> {
  if (context.view.inTransaction)
    throw new MongoError(
      263,
      `Stage not supported inside of a multi-document transaction: ${Object.keys(stage)[0] ?? ''}`
    )
  if ('$out' in stage) await out(context, stage['$out'], documents)
  else await merge(context, stage['$merge'], documents, options)
}

function targetOf(context: CommandContext, value: unknown, stage: string): string {
  if (typeof value === 'string') return `${context.database}.${value}`
  if (isDocument(value) && typeof value['coll'] === 'string')
    return `${typeof value['db'] === 'string' ? value['db'] : context.database}.${value['coll']}`
  throw new MongoError(51178, `${stage} requires a string or object with 'db' and 'coll', but found ${typeName(value)}`)
}

/** Replaces a collection with the documents, atomically. */
async function out(context: CommandContext, spec: unknown, documents: Stream<Document>): Promise<void> {
  const { engine } = context
  const namespace = targetOf(context, spec, '$out')
  const { store } = engine
  const { catalog } = store
  const temporary = `${namespace.slice(0, namespace.indexOf('.'))}.tmp_agg_out_${randomUUID()}`
  const before = catalog.get(namespace)
  const made = store.attempt(() => {
    const collection = catalog.create(temporary, before?.options ?? {})
    for (const index of before?.indexes.slice(1) ?? []) catalog.addIndex(collection, parseIndex(index.spec))
    return collection
  })
  try {
    for (const document of documents) {
      if (document === PAUSE || context.slice.isOver()) await context.pause()
      if (document !== PAUSE) engine.rows.insert(made, withId(document))
    }
    store.attempt(() => {
      // Look it up again: it may have been dropped, renamed or replaced in the meantime.
      const replaced = catalog.get(namespace)
      if (replaced) catalog.drop(replaced)
      catalog.rename(made, namespace)
    })
    store.cache.clear()
  } catch (error) {
    // The commit that created it may have been rolled back.
    if (catalog.get(temporary) === made) store.attempt(() => catalog.drop(made))
    throw error
  }
}

type WhenMatched = 'replace' | 'keepExisting' | 'merge' | 'fail' | unknown[]

async function merge(
  context: CommandContext,
  spec: unknown,
  documents: Stream<Document>,
  options: PipelineOptions & { namespace: string }
): Promise<void> {
  const given = typeof spec === 'string' ? { into: spec } : spec
  if (!isDocument(given)) throw new MongoError(51178, '$merge requires a string or object argument')
  const namespace = targetOf(context, given['into'], '$merge')
  const on = Array.isArray(given['on'])
    ? given['on'].map(String)
    : [typeof given['on'] === 'string' ? given['on'] : '_id']
  const whenMatched: WhenMatched = Array.isArray(given['whenMatched'])
    ? given['whenMatched']
    : ((given['whenMatched'] ?? 'merge') as WhenMatched)
  const whenNotMatched = typeof given['whenNotMatched'] === 'string' ? given['whenNotMatched'] : 'insert'
  if (!Array.isArray(whenMatched) && !['replace', 'keepExisting', 'merge', 'fail'].includes(whenMatched))
    throw failedToParse(`Enumeration value '${whenMatched}' for field 'whenMatched' is not a valid value.`)
  if (!['insert', 'discard', 'fail'].includes(whenNotMatched))
    throw failedToParse(`Enumeration value '${whenNotMatched}' for field 'whenNotMatched' is not a valid value.`)
  checkUnique(context, namespace, on)
  const variables = isDocument(given['let']) ? given['let'] : { new: '$$ROOT' }

  const apart = namespace === options.namespace ? setAside(documents, options) : documents
  for (const document of apart) {
    if (document === PAUSE || context.slice.isOver()) await context.pause()
    if (document === PAUSE) continue
    const source = withId(document)
    const key = Object.fromEntries(on.map((path) => [path, { $eq: plainValue(source, path) }]))
    for (const path of on) {
      const value = plainValue(source, path)
      if (value === undefined || value === null || Array.isArray(value)) {
        throw new MongoError(
          51132,
          `$merge write error: 'on' field '${path}' cannot be missing, null, undefined or an array`
        )
      }
    }
    await untilFree(context, () => mergeOne(source, key))
  }

  async function mergeOne(source: Document, key: Document): Promise<void> {
    const collection = context.view.ensure(namespace)
    const query = prepareQuery({ filter: key, now: context.now }, collection)
    const found = await withFirstMatch(context, collection, query, (row) => {
      const before = context.view.documentOf(collection, row)
      const after = merged(before, source)
      if (after)
        context.view.replace(collection, row, changedRow(row, after), whenMatched === 'replace' ? 'replaced' : null)
      return true
    })
    if (found) return
    if (whenNotMatched === 'fail')
      throw new MongoError(
        13113,
        '$merge could not find a matching document in the target collection for at least one document in the source collection'
      )
    if (whenNotMatched === 'insert') context.view.insert(collection, source)
  }

  function merged(before: Document, source: Document): Document | null {
    if (whenMatched === 'keepExisting') return null
    if (whenMatched === 'fail')
      throw new MongoError(
        11000,
        `$merge failed due to a DuplicateKey error: a document with this key is in ${namespace} already`,
        { details: { keyPattern: Object.fromEntries(on.map((path) => [path, 1])) } }
      )
    if (whenMatched === 'replace')
      return { _id: before['_id'], ...Object.fromEntries(Object.entries(source).filter(([field]) => field !== '_id')) }
    if (!Array.isArray(whenMatched)) return { ...before, ...source, _id: before['_id'] }
    const bound = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, compileExpression(value, options)(source)])
    )
    const run = compilePipelineUpdate(whenMatched, { ...options, let: { ...options.let, new: source, ...bound } })
    return keepId(before, run(before))
  }
}

/** Buffers all documents of a pipeline before the first is written to the collection that they come from. */
function* setAside(documents: Stream<Document>, { scratch }: PipelineOptions): Stream<Document> {
  const held = createSorter(scratch, documentForm)
  const inTheirOrder = Buffer.alloc(0)
  try {
    for (const document of documents) {
      if (document === PAUSE) yield document
      else held.add(inTheirOrder, document)
    }
    yield* held.sorted()
  } finally {
    held.close()
  }
}

/** Checks that `$merge` has a unique index on its fields. Otherwise one source document could match several. */
function checkUnique(context: CommandContext, namespace: string, on: readonly string[]): void {
  const indexes = context.view.collection(namespace)?.indexes ?? []
  if (on.length === 1 && on[0] === '_id') return
  const fits = indexes.some(
    ({ unique, sparse, partial, fields }) =>
      unique && !sparse && !partial && fields.length === on.length && fields.every(({ path }) => on.includes(path))
  )
  if (!fits) throw new MongoError(51183, 'Cannot find index to verify that join fields will be unique')
}
