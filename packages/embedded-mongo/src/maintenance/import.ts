import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { EJSON, serialize } from 'bson'
import { decodeDocument } from '../bson/decode.ts'
import type { Document } from '../bson/document.ts'
import type { DataFolder } from '../data-folder.ts'
import { openEngine, type Engine } from '../engine.ts'
import { takeFolder } from '../folder-lock.ts'
import { parseIndex } from '../storage/indexes/index-spec.ts'
import { buildIndexes } from '../storage/indexes/index-build.ts'
import { withId } from '../update/upsert.ts'
import { dumpDescription, dumpDocuments, dumpNamespace, isDumpFile, readDescription } from './dump-reader.ts'
import { exportNames } from './export.ts'

/** Documents per commit. */
const BATCH = 1000

const ENDINGS = /\.(jsonl|ndjson|json)$/

/** Returns `database.collection` from the argument or the file name. For `mongoexport` the user chooses the file name. */
function namespaceOf(path: string, asked: string | null): string {
  if (asked === null && isDumpFile(path)) return dumpNamespace(path)
  const name = asked ?? decodeURIComponent(basename(path).replace(ENDINGS, ''))
  if (!name.includes('.'))
    throw new Error(`Say which collection ${basename(path)} belongs to: --collection database.name`)
  return name
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) throw new Error(`There is nothing to import at ${path}.`)
  if (!statSync(path).isDirectory()) return [path]
  const files = readdirSync(path).toSorted()
  const dumps = files
    .filter((name) => statSync(join(path, name)).isDirectory())
    .flatMap((name) => filesOf(join(path, name)))
  const own = files
    .filter(
      (name) => isDumpFile(name) || (ENDINGS.test(name) && !/\.(indexes|metadata)\.json$|^prelude\.json$/.test(name))
    )
    .map((name) => join(path, name))
  return [...own, ...dumps]
}

/** Reads the documents of a file: one per line, as `mongoexport` writes them, or one array (`--jsonArray`). */
async function* documentsOf(path: string): AsyncGenerator<Document> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })
  let number = 0
  for await (const text of lines) {
    number++
    if (text.trim() === '') continue
    if (number === 1 && text.trimStart().startsWith('[')) {
      lines.close()
      const all: unknown = EJSON.parse(readFileSync(path, 'utf8'), { relaxed: false })
      if (!Array.isArray(all)) throw new Error(`${path} is not Extended JSON.`)
      for (const document of all) yield asStored(document)
      return
    }
    try {
      yield asStored(EJSON.parse(text, { relaxed: false }))
    } catch (cause) {
      throw new Error(`${path}, line ${number}: ${cause instanceof Error ? cause.message : 'not Extended JSON'}`, {
        cause
      })
    }
  }
}

function asStored(value: unknown): Document {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('a document is expected')
  return decodeDocument(serialize(value, { ignoreUndefined: false }))
}

/** Returns the path of the file with the collection's options and indexes, which mongoexport does not write. */
const descriptionOf = (path: string, namespace: string): string =>
  isDumpFile(path) ? dumpDescription(path) : join(dirname(path), exportNames(namespace).indexes)

async function importFile(engine: Engine, path: string, namespace: string): Promise<number> {
  const { store, rows } = engine
  const { options, indexes } = readDescription(descriptionOf(path, namespace))
  const collection = store.catalog.get(namespace) ?? store.write(() => store.catalog.create(namespace, options))
  let count = 0
  for await (const document of isDumpFile(path) ? dumpDocuments(path) : documentsOf(path)) {
    rows.insert(collection, withId(document))
    if (++count % BATCH === 0) {
      await store.durable()
      await new Promise(setImmediate)
    }
  }
  await store.durable()
  const missing = indexes.filter((spec) => !collection.indexes.some(({ name }) => name === spec['name']))
  if (missing.length > 0) buildIndexes(store, rows, collection, missing.map(parseIndex))
  await store.durable()
  return count
}

/** Reads files of an export (or of `mongoexport`) into the database. The server must be stopped. */
export async function importFiles(
  folder: DataFolder,
  path: string,
  asked: string | null
): Promise<{ namespace: string; count: number }[]> {
  const release = await takeFolder(folder)
  try {
    const engine = openEngine({ path: folder.file })
    try {
      const done: { namespace: string; count: number }[] = []
      for (const file of filesOf(path)) {
        const namespace = namespaceOf(file, asked)
        done.push({ namespace, count: await importFile(engine, file, namespace) })
      }
      return done
    } finally {
      engine.close()
    }
  } finally {
    release()
  }
}
