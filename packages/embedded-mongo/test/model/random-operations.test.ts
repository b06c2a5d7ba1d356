import { Binary } from 'bson'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Document } from '../../src/bson/document.ts'
import { checkFile } from '../../src/maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../in-process.ts'
import { createModel, type Model, type ModelFilter, type ModelUpdate } from './naive-model.ts'

const value = fc.oneof(fc.integer({ min: -2, max: 4 }), fc.constantFrom('a', 'b', 'B'), fc.constant(null), fc.boolean())
const fieldValue = fc.oneof(
  { weight: 3, arbitrary: value },
  { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) }
)
const field = fc.constantFrom('a', 'b', 'c.d')
const document = fc.record(
  { a: fieldValue, b: fieldValue, c: fc.record({ d: fieldValue }, { requiredKeys: [] }) },
  { requiredKeys: [] }
)
const filter: fc.Arbitrary<ModelFilter> = fc.array(
  fc.record({ path: field, op: fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte', '$ne'), value }),
  { maxLength: 2 }
)
const update: fc.Arbitrary<ModelUpdate> = fc.oneof(
  fc.record({ op: fc.constant('$set' as const), path: fc.constantFrom('a', 'b'), value: fieldValue }),
  fc.record({ op: fc.constant('$unset' as const), path: fc.constantFrom('a', 'b'), value: fc.constant('') })
)
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), id: fc.nat({ max: 30 }), document }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('update' as const), filter, update, multi: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), filter }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('find' as const),
      filter,
      sort: fc.option(fc.record({ path: field, direction: fc.constantFrom(1, -1) }))
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('transaction' as const),
      id: fc.nat({ max: 30 }),
      document,
      filter,
      update,
      commit: fc.boolean()
    })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reopen' as const, 'kill' as const) }) }
)
const operations = fc.array(operation, { minLength: 5, maxLength: 40 })
/** The number of entries that stay in memory. With the engine's own limit, none of so few would. */
const recentEntries = fc.constantFrom(1, 3, 10, 4096)
/** Combinations of indexes that the planner may choose from. */
const indexes = fc.subarray(
  [
    ...[{ a: 1 }, { b: -1 }, { a: 1, b: 1 }, { 'c.d': 1, a: -1 }, { b: 1, 'c.d': -1 }].map((key) => ({ key })),
    { key: { 'c.d': 1 }, sparse: true },
    { key: { a: -1 }, partialFilterExpression: { b: { $gt: 0 } } }
  ].map((index) => ({ ...index, name: JSON.stringify(index.key) })),
  { minLength: 0 }
)

const queryOf = (conditions: ModelFilter): Document =>
  conditions.length === 0
    ? {}
    : { $and: conditions.map(({ path, op, value: wanted }) => ({ [path]: { [op]: wanted } })) }
const changeOf = ({ op, path, value: to }: ModelUpdate): Document => ({ [op]: { [path]: to } })

/** The engine's answer and the model's. */
interface Comparison {
  engine: unknown
  model: unknown
}
type Step = typeof operation extends fc.Arbitrary<infer T> ? T : never
/** MongoDB refuses two arrays in one compound index; the model has no indexes and adopts the engine's answer. */
const PARALLEL_ARRAYS = 171

const firstError = (answer: Document): unknown => ((answer['writeErrors'] ?? []) as Document[])[0]?.['code']
const batch = (answer: Document): Document[] => (answer['cursor'] as Document)['firstBatch'] as Document[]
const idsOf = (documents: Document[]): unknown[] => documents.map(({ _id }) => _id)
const all = async (db: InProcess): Promise<Document[]> =>
  batch(await db.run({ find: 'things', sort: { _id: 1 }, batchSize: 1000 }))

async function perform(db: InProcess, model: Model, step: Step, number: number): Promise<Comparison> {
  switch (step.kind) {
    case 'insert': {
      const error = firstError(await db.run({ insert: 'things', documents: [{ _id: step.id, ...step.document }] }))
      if (error === PARALLEL_ARRAYS) return { engine: null, model: null }
      return { engine: error ?? 'inserted', model: model.insert(step.id, step.document) ? 'inserted' : 11000 }
    }
    case 'update': {
      const one = { q: queryOf(step.filter), u: changeOf(step.update), multi: step.multi }
      const error = firstError(
        await db.run({ update: 'things', updates: [step.multi ? one : { ...one, sort: { _id: 1 } }] })
      )
      if (error === PARALLEL_ARRAYS) model.adopt(await all(db))
      else model.update(step.filter, step.update, step.multi)
      return { engine: await all(db), model: model.all() }
    }
    case 'delete': {
      const { n } = await db.run({ delete: 'things', deletes: [{ q: queryOf(step.filter), limit: 0 }] })
      return { engine: n, model: model.remove(step.filter) }
    }
    case 'find': {
      const sort = step.sort ? { [step.sort.path]: step.sort.direction, _id: 1 } : { _id: 1 }
      const found = idsOf(batch(await db.run({ find: 'things', filter: queryOf(step.filter), sort, batchSize: 1000 })))
      const { n } = await db.run({ count: 'things', query: queryOf(step.filter) })
      const wanted = model.find(step.filter, step.sort)
      return { engine: { found, n }, model: { found: wanted, n: wanted.length } }
    }
    case 'transaction':
      return transact(db, model, step, number)
    case 'reopen':
    case 'kill':
      db[step.kind]()
      return { engine: await all(db), model: model.all() }
  }
}

async function transact(
  db: InProcess,
  model: Model,
  step: Extract<Step, { kind: 'transaction' }>,
  number: number
): Promise<Comparison> {
  const within = { lsid: { id: new Binary(Buffer.alloc(16, number), 4) }, txnNumber: 1, autocommit: false }
  const unchanged = async (): Promise<Comparison> => ({ engine: await all(db), model: model.all() })
  const inserted = await db.run({
    insert: 'things',
    documents: [{ _id: step.id, ...step.document }],
    ...within,
    startTransaction: true
  })
  // An error ends a transaction, and rolls all of it back.
  if (inserted['ok'] !== 1) return unchanged()
  const updated = await db.run({
    update: 'things',
    updates: [{ q: queryOf(step.filter), u: changeOf(step.update), multi: true }],
    ...within
  })
  if (updated['ok'] !== 1) return unchanged()
  const inside = model.copy()
  inside.insert(step.id, step.document)
  inside.update(step.filter, step.update, true)
  const seen = idsOf(
    batch(await db.run({ find: 'things', filter: queryOf(step.filter), sort: { _id: 1 }, batchSize: 1000, ...within }))
  )
  const outside = await all(db)
  const before = model.all()
  await db.run({ [step.commit ? 'commitTransaction' : 'abortTransaction']: 1, ...within })
  if (step.commit) model.adopt(inside.all())
  return {
    engine: { within: seen, outside, after: await all(db) },
    model: { within: inside.find(step.filter, null), outside: before, after: model.all() }
  }
}

describe('the engine and a naive model', () => {
  let database: InProcess | null = null
  afterEach(async () => {
    await database?.close()
    database = null
  })

  it('agree after any operations, with any indexes', async () => {
    await fc.assert(
      fc.asyncProperty(indexes, recentEntries, operations, async (specs, most, steps) => {
        await database?.close()
        const db = await openInProcess({ recentEntries: most })
        database = db
        const model = createModel()
        await db.run({ create: 'things' })
        if (specs.length > 0) await db.run({ createIndexes: 'things', indexes: specs })
        for (const [i, step] of steps.entries()) {
          const { engine, model: wanted } = await perform(db, model, step, i + 1)
          expect(engine).toEqual(wanted)
        }
        expect(await all(db)).toEqual(model.all())
        expect(await checkFile(db.file)).toEqual([])
      }),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 60) }
    )
  }, 300_000)
})
