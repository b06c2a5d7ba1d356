import { UUID } from 'bson'
import { encodeDocument } from '../bson/encode.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { toNumber } from '../bson/numbers.ts'
import { MongoError, unsupported } from '../errors.ts'
import { parseCollation } from '../query/collation.ts'
import { prepareQuery } from '../planner/query.ts'
import type { Stream } from '../storage/pause.ts'
import { batchSizeOf, firstBatch } from './batch.ts'
import { namespaceOf, type CommandContext, type Handler } from './context.ts'

const refused: Readonly<Record<string, string>> = {
  capped: 'a capped collection',
  size: 'a capped collection',
  max: 'a capped collection',
  timeseries: 'a time series collection',
  viewOn: 'a view',
  pipeline: 'a view',
  clusteredIndex: 'a clustered collection',
  validator: 'document validation',
  encryptedFields: 'encryption',
  expireAfterSeconds: 'expiry of a whole collection',
  changeStreamPreAndPostImages: 'storing pre-images of documents'
}

const isIdKey = (key: Document): boolean => Object.keys(key).length === 1 && toNumber(key['_id']) === 1

/** https://www.mongodb.com/docs/manual/reference/command/create/ */
export const create: Handler = (context) => {
  const { command, engine } = context
  for (const [option, what] of Object.entries(refused)) {
    const value = command[option]
    if (value === undefined || value === false) continue
    if (option === 'validator' && isDocument(value) && Object.keys(value).length === 0) continue
    if (option === 'changeStreamPreAndPostImages' && isDocument(value) && value['enabled'] === false) continue
    throw unsupported(what)
  }
  const namespace = namespaceOf(context, 'create')
  const idIndex = command['idIndex']
  if (isDocument(idIndex) && !(isDocument(idIndex['key']) && isIdKey(idIndex['key'])))
    throw new MongoError(2, "The field 'key' for an _id index must be { _id: 1 }")
  const collation = parseCollation(command['collation'])
  const options: Document = collation ? { collation: collation.spec } : {}
  const known = engine.store.catalog.get(namespace)
  if (known) {
    const same = JSON.stringify(known.options) === JSON.stringify(options)
    if (same) return { ok: 1 }
    throw new MongoError(
      48,
      `namespace ${namespace} already exists, but with different options: { uuid: UUID("${known.uuid}") }`
    )
  }
  engine.store.attempt(() => engine.store.catalog.create(namespace, options))
  return { ok: 1 }
}

/** https://www.mongodb.com/docs/manual/reference/command/drop/ */
export const drop: Handler = (context) => {
  const { engine } = context
  const namespace = namespaceOf(context, 'drop')
  const collection = engine.store.catalog.get(namespace)
  // Since MongoDB 7.0 it is no error to drop a missing collection.
  if (!collection) return { ok: 1 }
  const nIndexesWas = collection.indexes.length
  dropCollection(context, namespace)
  return { nIndexesWas, ns: namespace, ok: 1 }
}

function dropCollection({ engine }: CommandContext, namespace: string): void {
  const collection = engine.store.catalog.get(namespace)
  if (!collection) return
  engine.cursors.closeWhere((cursor) => cursor.namespace === namespace && cursor.tail === null && !cursor.busy)
  engine.store.attempt(() => engine.store.catalog.drop(collection))
  engine.store.cache.clear()
  engine.changes.dropped(namespace)
}

/** https://www.mongodb.com/docs/manual/reference/command/dropDatabase/ */
export const dropDatabase: Handler = (context) => {
  const { engine, database } = context
  const collections = engine.store.catalog.list(database)
  for (const { namespace } of collections) dropCollection(context, namespace)
  if (collections.length > 0) engine.changes.databaseDropped(database)
  return collections.length > 0 ? { dropped: database, ok: 1 } : { ok: 1 }
}

/** https://www.mongodb.com/docs/manual/reference/command/renameCollection/ */
export const renameCollection: Handler = (context) => {
  const { engine, command } = context
  const [from, to] = [String(command['renameCollection']), String(command['to'])]
  const collection = engine.store.catalog.get(from)
  if (!collection) throw new MongoError(26, `Source collection ${from} does not exist`)
  if (engine.store.catalog.get(to)) {
    if (command['dropTarget'] !== true) throw new MongoError(48, 'target namespace exists')
    dropCollection(context, to)
  }
  engine.cursors.closeWhere((cursor) => cursor.namespace === from && cursor.tail === null && !cursor.busy)
  engine.store.attempt(() => engine.store.catalog.rename(collection, to))
  engine.changes.renamed(from, to)
  return { ok: 1 }
}

/** Streams given documents as BSON. */
export function* documentStream(documents: Iterable<Document>): Stream<Uint8Array> {
  for (const document of documents) yield encodeDocument(document)
}

/** https://www.mongodb.com/docs/manual/reference/command/listCollections/ */
export const listCollections: Handler = (context) => {
  const { engine, database, command, now } = context
  const { test } = prepareQuery({ filter: command['filter'], now }, null)
  const all = engine.store.catalog
    .list(database)
    .toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1))
    .map((collection) => {
      const name = collection.namespace.slice(database.length + 1)
      return {
        name,
        type: 'collection',
        options: collection.options,
        info: { readOnly: false, uuid: new UUID(collection.uuid) },
        idIndex: { v: 2, key: { _id: 1 }, name: '_id_' }
      }
    })
    .filter(test)
  const shown = command['nameOnly'] === true ? all.map(({ name, type }) => ({ name, type })) : all
  return firstBatch(context, documentStream(shown), {
    namespace: `${database}.$cmd.listCollections`,
    batchSize: isDocument(command['cursor']) ? batchSizeOf(command['cursor']['batchSize']) : null,
    singleBatch: false
  })
}

/** https://www.mongodb.com/docs/manual/reference/command/listDatabases/ */
export const listDatabases: Handler = ({ engine, command, now }) => {
  const { test } = prepareQuery({ filter: command['filter'], now }, null)
  const databases = engine.store.catalog
    .databases()
    .toSorted()
    .map((name) => ({
      name,
      sizeOnDisk: 0,
      empty: engine.store.catalog.list(name).every(({ count }) => count === 0)
    }))
    .filter(test)
  return command['nameOnly'] === true
    ? { databases: databases.map(({ name }) => ({ name })), ok: 1 }
    : {
        databases,
        totalSize: engine.store.sizeBytes(),
        totalSizeMb: Math.round(engine.store.sizeBytes() / 1048576),
        ok: 1
      }
}

function statsOf({ engine, database }: CommandContext, namespace: string): Document {
  const collection = engine.store.catalog.get(namespace)
  const rows = collection ? engine.store.collectionBytes(collection) : { documents: 0, indexes: 0 }
  return {
    ns: namespace,
    count: collection?.count ?? 0,
    size: rows.documents,
    storageSize: rows.documents,
    avgObjSize: collection && collection.count > 0 ? Math.round(rows.documents / collection.count) : 0,
    nindexes: collection?.indexes.length ?? 0,
    totalIndexSize: rows.indexes,
    capped: false,
    db: database
  }
}

export const collStats: Handler = (context) => ({ ...statsOf(context, namespaceOf(context, 'collStats')), ok: 1 })

export const dbStats: Handler = (context) => {
  const { engine, database } = context
  const all = engine.store.catalog.list(database).map(({ namespace }) => statsOf(context, namespace))
  const sum = (field: string): number => all.reduce((total, stats) => total + Number(stats[field]), 0)
  return {
    db: database,
    collections: all.length,
    views: 0,
    objects: sum('count'),
    dataSize: sum('size'),
    storageSize: sum('storageSize'),
    indexes: sum('nindexes'),
    indexSize: sum('totalIndexSize'),
    fsUsedSize: engine.store.sizeBytes(),
    ok: 1
  }
}
