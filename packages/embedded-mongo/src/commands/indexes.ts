import { isDocument, type Document } from '../bson/document.ts'
import { toNumber } from '../bson/numbers.ts'
import { MongoError, unsupported } from '../errors.ts'
import { shellText } from '../bson/shell-text.ts'
import { checkExpiry, parseIndex, type Index } from '../storage/indexes/index-spec.ts'
import { buildIndexes } from '../storage/indexes/index-build.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import { batchSizeOf, firstBatch } from './batch.ts'
import { documentStream } from './collections.ts'
import { namespaceOf, type CommandContext, type Handler } from './context.ts'

function requireCollection({ engine }: CommandContext, namespace: string): Collection {
  const collection = engine.store.catalog.get(namespace)
  if (!collection) throw new MongoError(26, `ns does not exist: ${namespace}`)
  return collection
}

const sameKey = (a: Index, b: Index): boolean => shellText(a.spec['key']) === shellText(b.spec['key'])
function identity({ spec }: Index): string {
  const { v: _, name: __, hidden: ___, ...rest } = spec
  return shellText(Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))))
}
/** Two indexes on the same key may coexist when these properties differ. */
const signature = ({ spec }: Index): string =>
  shellText([
    spec['key'],
    spec['collation'] ?? null,
    spec['partialFilterExpression'] ?? null,
    spec['unique'] ?? false,
    spec['sparse'] ?? false
  ])

/** Tells whether the index exists already. @throws MongoError when another index has the same name or key. */
function existing(indexes: readonly Index[], asked: Index): boolean {
  for (const index of indexes) {
    if (index.name === asked.name) {
      if (identity(index) === identity(asked)) return true
      if (index.name === '_id_' && sameKey(index, asked)) return true
      if (!sameKey(index, asked) || signature(index) !== signature(asked)) {
        throw new MongoError(
          86,
          `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${shellText(asked.spec)}, existing index: ${shellText(index.spec)}`
        )
      }
      throw new MongoError(
        85,
        `An equivalent index already exists with the same name but different options. Requested index: ${shellText(asked.spec)}, existing index: ${shellText(index.spec)}`
      )
    }
    if (signature(index) === signature(asked)) {
      throw new MongoError(85, `Index already exists with a different name: ${index.name}`)
    }
  }
  return false
}

const optionsOfId = new Set(['v', 'key', 'name', 'ns', 'collation'])

/** https://www.mongodb.com/docs/manual/reference/command/createIndexes/ */
export const createIndexes: Handler = (context) => {
  const { engine, command } = context
  const namespace = namespaceOf(context, 'createIndexes')
  const specs = command['indexes']
  if (!Array.isArray(specs) || specs.length === 0) throw new MongoError(2, 'Must specify at least one index to create')
  const { catalog } = engine.store
  // An index inherits the collation of its collection.
  const { collation } = catalog.get(namespace)?.options ?? {}
  const inherited = collation === undefined ? {} : { collation }
  const asked = specs.map((spec: unknown) => {
    if (!isDocument(spec)) throw new MongoError(14, "BSON field 'createIndexes.indexes' is the wrong type")
    if (!Object.hasOwn(spec, 'name'))
      throw new MongoError(9, "The 'name' field is a required property of an index specification")
    const index = parseIndex(Object.hasOwn(spec, 'collation') ? spec : { ...spec, ...inherited })
    const stray = index.name === '_id_' && Object.keys(spec).find((field) => !optionsOfId.has(field))
    if (stray) throw new MongoError(197, `The field '${stray}' is not valid for an _id index specification.`)
    return index
  })
  const createdCollectionAutomatically = catalog.get(namespace) === null
  if (createdCollectionAutomatically) engine.store.attempt(() => catalog.create(namespace, {}))
  const collection = requireCollection(context, namespace)
  const numIndexesBefore = collection.indexes.length
  const fresh: Index[] = []
  for (const index of asked) {
    if (existing([...collection.indexes, ...fresh], index)) continue
    if (collection.indexes.length + fresh.length >= 64)
      throw new MongoError(67, `add index fails, too many indexes for ${namespace} key:${shellText(index.spec['key'])}`)
    fresh.push(index)
  }
  if (fresh.length > 0) buildIndexes(engine.store, engine.rows, collection, fresh)
  const numIndexesAfter = collection.indexes.length
  return {
    numIndexesBefore,
    numIndexesAfter,
    createdCollectionAutomatically,
    ...(numIndexesAfter === numIndexesBefore ? { note: 'all indexes already exist' } : {}),
    ok: 1
  }
}

/** https://www.mongodb.com/docs/manual/reference/command/listIndexes/ */
export const listIndexes: Handler = (context) => {
  const { database, command } = context
  const namespace = namespaceOf(context, 'listIndexes')
  const { indexes } = requireCollection(context, namespace)
  return firstBatch(context, documentStream(indexes.map(({ spec }) => spec)), {
    namespace: `${database}.${String(command['listIndexes'])}`,
    batchSize: isDocument(command['cursor']) ? batchSizeOf(command['cursor']['batchSize']) : null,
    singleBatch: false
  })
}

function findIndex(collection: Collection, asked: unknown): Index {
  const [index, ...others] = collection.indexes.filter((candidate) =>
    typeof asked === 'string'
      ? candidate.name === asked
      : shellText(candidate.spec['key']) === shellText(numbersOf(asked))
  )
  if (others.length > 0)
    throw new MongoError(
      181,
      `${others.length + 1} indexes found for key: ${shellText(asked)}, identify by name instead`
    )
  if (index) return index
  throw typeof asked === 'string'
    ? new MongoError(27, `index not found with name [${asked}]`)
    : new MongoError(27, `can't find index with key: ${shellText(asked)}`)
}

const numbersOf = (key: unknown): unknown =>
  isDocument(key)
    ? Object.fromEntries(Object.entries(key).map(([field, direction]) => [field, toNumber(direction)]))
    : key

/** https://www.mongodb.com/docs/manual/reference/command/dropIndexes/ */
export const dropIndexes: Handler = (context) => {
  const { engine, command } = context
  const field = command['dropIndexes'] === undefined ? 'deleteIndexes' : 'dropIndexes'
  const namespace = namespaceOf(context, field)
  const collection = requireCollection(context, namespace)
  const nIndexesWas = collection.indexes.length
  const asked = command['index']
  const victims =
    asked === '*'
      ? collection.indexes.slice(1)
      : (Array.isArray(asked) ? asked : [asked]).map((one: unknown) => findIndex(collection, one))
  if (victims.some(({ name }) => name === '_id_')) throw new MongoError(72, 'cannot drop _id index')
  engine.cursors.closeWhere((cursor) => cursor.namespace === namespace && cursor.tail === null && !cursor.busy)
  engine.store.attempt(() => {
    for (const index of victims) engine.store.catalog.dropIndex(collection, index)
  })
  return { nIndexesWas, ...(asked === '*' ? { msg: 'non-_id indexes dropped for collection' } : {}), ok: 1 }
}

const refusedChanges = [
  'validator',
  'validationLevel',
  'validationAction',
  'viewOn',
  'pipeline',
  'timeseries',
  'expireAfterSeconds',
  'cappedSize',
  'cappedMax',
  'changeStreamPreAndPostImages'
] as const

/** https://www.mongodb.com/docs/manual/reference/command/collMod/, for an index's expiry and visibility. */
export const collMod: Handler = (context) => {
  const { engine, command } = context
  for (const option of refusedChanges) {
    if (command[option] !== undefined) throw unsupported(`collMod ${option}`)
  }
  const collection = requireCollection(context, namespaceOf(context, 'collMod'))
  const change = command['index']
  if (!isDocument(change)) return { ok: 1 }
  const index = findIndex(collection, change['name'] ?? change['keyPattern'])
  const answer: Document = {}
  const { expireAfterSeconds: seconds, hidden, name: _, keyPattern: __, ...rest } = change
  const [stray] = Object.keys(rest)
  if (stray !== undefined) throw unsupported(`collMod index.${stray}`)
  if (seconds !== undefined) {
    checkExpiry(seconds, index.fields.length, index.name === '_id_')
    answer['expireAfterSeconds_old'] = index.expireAfterSeconds ?? undefined
    answer['expireAfterSeconds_new'] = toNumber(seconds)
    index.expireAfterSeconds = toNumber(seconds)
    index.spec['expireAfterSeconds'] = toNumber(seconds)
  }
  if (typeof hidden === 'boolean') {
    if (index.name === '_id_') throw new MongoError(2, "can't hide _id index")
    answer['hidden_old'] = index.hidden
    answer['hidden_new'] = hidden
    index.hidden = hidden
    if (hidden) index.spec['hidden'] = true
    else delete index.spec['hidden']
  }
  engine.store.attempt(() => engine.store.catalog.changeIndex(collection, index))
  return { ...answer, ok: 1 }
}
