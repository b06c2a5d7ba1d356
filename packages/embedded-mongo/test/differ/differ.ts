import { EJSON, ObjectId } from 'bson'
import type { Document } from '../../src/bson/document.ts'
import { checkFile } from '../../src/maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../in-process.ts'
import { matches, Refused, sorted, updated } from './reference.ts'

export interface DifferOptions {
  seed: number
  operations: number
  /** Called after each thousand operations. */
  say?(line: string): void
}

/** The results of one operation: of the engine with indexes, of the engine without, and of the reference. */
interface Answers {
  operation: Document
  indexed: unknown
  plain: unknown
  reference: unknown
}

const MOST_DOCUMENTS = 40
/** Number of operations before the indexes change. */
const ROUND = 250

/** Returns a generator of numbers from 0 to 1, which depends only on the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const indexChoices: Document[] = [
  { key: { a: 1 }, name: 'a' },
  { key: { b: -1 }, name: 'b' },
  { key: { 'a.b': 1 }, name: 'ab' },
  { key: { 'a.b': 1, 'a.c': -1 }, name: 'abc' },
  { key: { a: -1, _id: 1 }, name: 'aid' },
  { key: { 'a.0': 1 }, name: 'a0' },
  { key: { b: 1, d: -1 }, name: 'bd' },
  { key: { 'b.c': 1 }, name: 'bc', sparse: true },
  { key: { d: 1, a: 1 }, name: 'da', partialFilterExpression: { d: { $gt: 0 } } },
  { key: { 'a.b.c': -1 }, name: 'deep', sparse: true },
  { key: { c: 1 }, name: 'c', partialFilterExpression: { c: { $exists: true } } }
]
const paths = [
  'a',
  'a',
  'b',
  'c',
  'd',
  'a.b',
  'a.b',
  'a.c',
  'a.b.c',
  'b.c',
  'a.0',
  'a.1',
  'a.0.b',
  'a.0.0',
  'b.1.c',
  '_id'
]

/** Makes documents, queries and updates. */
function createWriter(random: () => number) {
  const number = (below: number): number => Math.floor(random() * below)
  const one = <T>(list: readonly T[]): T => list[number(list.length)] as T
  const scalar = (): unknown =>
    one<() => unknown>([
      () => number(6) - 2,
      () => number(6) - 2,
      () => number(4) + 0.5,
      () => one(['', 'a', 'b', 'B', 'ab']),
      () => null,
      () => random() < 0.5,
      () => new Date(number(3) * 1000),
      () => new ObjectId('0123456789abcdef0123456'.concat(String(number(3))))
    ])()
  const object = (depth: number): Document => {
    const made: Document = {}
    for (const name of ['b', 'c']) if (random() < 0.6) made[name] = value(depth - 1)
    return made
  }
  const value = (depth: number): unknown => {
    const chance = random()
    if (depth <= 0 || chance < 0.55) return scalar()
    if (chance < 0.75) return object(depth)
    return Array.from({ length: number(4) }, () => value(depth - 1))
  }
  const condition = (): Document => {
    const wanted = value(random() < 0.8 ? 0 : 2)
    return one<() => Document>([
      () => ({ $eq: wanted }),
      () => ({ [one(['$gt', '$gte', '$lt', '$lte'])]: wanted }),
      () => ({ [one(['$gt', '$gte'])]: number(4) - 1, [one(['$lt', '$lte'])]: number(5) }),
      () => ({ $ne: wanted }),
      () => ({ [one(['$in', '$nin'])]: Array.from({ length: number(4) }, () => value(1)) }),
      () => ({ $exists: random() < 0.5 }),
      () => ({ $size: number(3) }),
      () => ({ $all: Array.from({ length: number(3) }, scalar) }),
      () => ({ $type: one(['number', 'string', 'object', 'array', 'bool', 'date', 'null']) }),
      () => ({
        $elemMatch: random() < 0.5 ? { $gte: number(4) - 1, $lt: number(5) } : { [one(['b', 'c'])]: scalar() }
      }),
      () => ({ $not: { $gt: scalar() } })
    ])()
  }
  const query = (depth = 1): Document => {
    const made: Document = {}
    for (let i = number(3); i >= 0; i--) made[one(paths)] = random() < 0.25 ? value(2) : condition()
    if (depth > 0 && random() < 0.25)
      made[one(['$or', '$and', '$nor'])] = Array.from({ length: number(2) + 1 }, () => query(depth - 1))
    return made
  }
  const document = (_id: number): Document => {
    const made: Document = { _id }
    for (const name of ['a', 'b', 'c']) if (random() < 0.7) made[name] = value(3)
    if (random() < 0.7) made['d'] = number(6) - 2
    return made
  }
  const update = (): Document => {
    const fields = ['a', 'b', 'c', 'a.b', 'a.c', 'b.c', 'a.0', 'a.1.b', 'a.b.c']
    return one<() => Document>([
      () => ({ $set: { [one(fields)]: value(2) } }),
      () => ({ $unset: { [one(fields)]: '' } }),
      () => ({ $inc: { [one(fields)]: number(5) - 2 } }),
      () => ({ [one(['$min', '$max'])]: { [one(fields)]: scalar() } }),
      () => ({ [one(['$push', '$addToSet'])]: { [one(fields)]: value(1) } }),
      () => ({ $pull: { [one(fields)]: scalarToPull() } }),
      () => ({ $set: { b: value(1) }, $unset: { c: '' }, $inc: { 'a.c': 1 } })
    ])()
  }
  const scalarToPull = (): unknown => one([number(5) - 2, 'a', 'b', true])
  return { number, one, query, document, update, path: () => one(paths), chance: random }
}

const firstError = (answer: Document): number | null =>
  answer['ok'] === 1
    ? ((((answer['writeErrors'] ?? []) as Document[])[0]?.['code'] as number | undefined) ?? null)
    : (answer['code'] as number)
const batch = (answer: Document): Document[] =>
  answer['ok'] === 1 ? ((answer['cursor'] as Document)['firstBatch'] as Document[]) : [{ error: answer['code'] }]
const text = (value: unknown): string => EJSON.stringify(value as Document, { relaxed: false })

/** Error for two lists in one index. Only the engine with indexes refuses this; the others are not asked then. */
const PARALLEL_ARRAYS = 171

/**
 * Runs random operations on the engine with indexes, on the engine without, and on the reference. Returns a description of
 * the first difference, or null.
 */
export async function runDiffer({ seed, operations, say }: DifferOptions): Promise<string | null> {
  // Skip real syncs: this test is not about the disk.
  const options = { syncFile: (_: number, done: (error: null) => void): void => void setImmediate(done, null) }
  const indexed = await openInProcess(options)
  const plain = await openInProcess(options)
  const write = createWriter(createRandom(seed))
  let documents: Document[] = []
  let nextId = 0
  try {
    for (let i = 0; i < operations; i++) {
      if (i % ROUND === 0) {
        if (i > 0) {
          const faults = await checkFile(indexed.file)
          if (faults.length > 0) return `seed ${seed}, after ${i} operations: ${faults.join('; ')}`
        }
        for (const db of [indexed, plain]) await db.run({ drop: 'things' })
        documents = []
        const indexes = indexChoices.filter(() => write.chance() < 0.35)
        if (indexes.length > 0) await indexed.run({ createIndexes: 'things', indexes })
        for (const db of [indexed, plain]) await db.run({ create: 'things' })
        if (i % 1000 === 0) say?.(`${i} operations`)
      }
      const answers = await perform()
      if (answers === null) continue
      const [a, b, c] = [text(answers.indexed), text(answers.plain), text(answers.reference)]
      if (a !== b || b !== c)
        return `seed ${seed}, operation ${i}: ${text(answers.operation)}\nwith indexes: ${a}\nwithout:      ${b}\nreference:    ${c}\nof: ${text(documents)}`
    }
    return null
  } finally {
    await indexed.close()
    await plain.close()
  }

  async function perform(): Promise<Answers | null> {
    const chance = write.chance()
    if (documents.length < 5 || (chance < 0.25 && documents.length < MOST_DOCUMENTS))
      return insert(write.document(nextId++))
    if (chance < 0.7) return find(write.query())
    if (chance < 0.95) return update()
    return remove(write.query())
  }

  async function insert(document: Document): Promise<Answers | null> {
    const operation = { insert: 'things', documents: [document] }
    const error = firstError(await indexed.run(operation))
    if (error === PARALLEL_ARRAYS) return null
    documents.push(document)
    return { operation, indexed: error, plain: firstError(await plain.run(operation)), reference: null }
  }

  async function find(filter: Document): Promise<Answers> {
    const [path, direction] = [write.path(), write.one([1, -1])]
    const [skip, limit] = [write.number(3), write.number(8)]
    const sort = path === '_id' ? { _id: direction } : { [path]: direction, _id: 1 }
    const operation = { find: 'things', filter, sort, skip, limit, batchSize: 1000 }
    const ask = async (db: InProcess): Promise<unknown> => ({
      found: batch(await db.run(operation)).map(({ _id, error }) => _id ?? { error }),
      count: (await db.run({ count: 'things', query: filter }))['n']
    })
    const all = documents.filter((document) => matches(document, filter))
    const found = sorted(all, path, direction)
      .slice(skip, limit === 0 ? undefined : skip + limit)
      .map(({ _id }) => _id)
    return { operation, indexed: await ask(indexed), plain: await ask(plain), reference: { found, count: all.length } }
  }

  async function update(): Promise<Answers | null> {
    // With many documents, update only a field without lists: otherwise the effect of a failure would depend on the order.
    const multi = write.chance() < 0.3
    const u = multi ? { $set: { d: write.number(6) - 2 } } : write.update()
    const q = write.query()
    const statement = multi ? { q, u, multi } : { q, u, sort: { _id: 1 } }
    const operation = { update: 'things', updates: [statement] }
    const answer = await indexed.run(operation)
    if (firstError(answer) === PARALLEL_ARRAYS) return null
    const other = await plain.run(operation)
    const matching = documents
      .filter((document) => matches(document, q))
      .toSorted((a, b) => Number(a['_id']) - Number(b['_id']))
    const chosen = new Set(multi ? matching : matching.slice(0, 1))
    let error: number | null = null
    try {
      documents = documents.map((document) => (chosen.has(document) ? updated(document, u) : document))
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused
      error = refused.code
    }
    const state = async (db: InProcess, result: Document): Promise<unknown> => ({
      error: firstError(result),
      all: batch(await db.run({ find: 'things', sort: { _id: 1 }, batchSize: 1000 }))
    })
    const all = documents.toSorted((a, b) => Number(a['_id']) - Number(b['_id']))
    return {
      operation,
      indexed: await state(indexed, answer),
      plain: await state(plain, other),
      reference: { error, all }
    }
  }

  async function remove(q: Document): Promise<Answers> {
    const operation = { delete: 'things', deletes: [{ q, limit: 0 }] }
    const before = documents.length
    documents = documents.filter((document) => !matches(document, q))
    return {
      operation,
      indexed: (await indexed.run(operation))['n'],
      plain: (await plain.run(operation))['n'],
      reference: before - documents.length
    }
  }
}
