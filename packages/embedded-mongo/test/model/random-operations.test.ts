import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Document } from '../../src/bson/document.ts'
import { checkFile } from '../../src/maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../in-process.ts'
import { createModel, type ModelFilter, type ModelUpdate } from './naive-model.ts'

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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) }
)
/** Every mixture of indexes that the planner may choose from. */
const indexes = fc.subarray(
  [{ a: 1 }, { b: -1 }, { a: 1, b: 1 }, { 'c.d': 1, a: -1 }, { b: 1, 'c.d': -1 }].map((key) => ({
    key,
    name: JSON.stringify(key)
  })),
  { minLength: 0 }
)

const queryOf = (conditions: ModelFilter): Document =>
  conditions.length === 0
    ? {}
    : { $and: conditions.map(({ path, op, value: wanted }) => ({ [path]: { [op]: wanted } })) }

describe('the engine and a naive model', () => {
  let database: InProcess | null = null
  afterEach(async () => {
    await database?.close()
    database = null
  })

  it('agree after any operations, with any indexes', async () => {
    await fc.assert(
      fc.asyncProperty(indexes, fc.array(operation, { minLength: 5, maxLength: 40 }), async (specs, operations) => {
        await database?.close()
        const db = await openInProcess()
        database = db
        const model = createModel()
        await db.run({ create: 'things' })
        if (specs.length > 0) await db.run({ createIndexes: 'things', indexes: specs })
        let transactions = 0
        for (const step of operations) {
          switch (step.kind) {
            case 'insert': {
              const answer = await db.run({ insert: 'things', documents: [{ _id: step.id, ...step.document }] })
              // Two arrays in one compound index are refused; the model takes the engine's word for it.
              const errors = (answer['writeErrors'] ?? []) as Document[]
              if (errors[0]?.['code'] !== 171) expect(errors.length === 0).toBe(model.insert(step.id, step.document))
              break
            }
            case 'update': {
              const answer = await db.run({
                update: 'things',
                updates: [
                  {
                    q: queryOf(step.filter),
                    u: { [step.update.op]: { [step.update.path]: step.update.value } },
                    multi: step.multi,
                    ...(step.multi ? {} : { sort: { _id: 1 } })
                  }
                ]
              })
              const errors = (answer['writeErrors'] ?? []) as Document[]
              if (errors.length === 0) model.update(step.filter, step.update, step.multi)
              else {
                expect(errors[0]?.['code']).toBe(171)
                model.adopt(await all(db))
              }
              break
            }
            case 'delete': {
              const answer = await db.run({ delete: 'things', deletes: [{ q: queryOf(step.filter), limit: 0 }] })
              expect(answer['n']).toBe(model.remove(step.filter))
              break
            }
            case 'find': {
              const sort = step.sort ? { [step.sort.path]: step.sort.direction, _id: 1 } : { _id: 1 }
              const answer = await db.run({ find: 'things', filter: queryOf(step.filter), sort, batchSize: 1000 })
              const found = ((answer['cursor'] as Document)['firstBatch'] as Document[]).map(({ _id }) => _id)
              expect(found).toEqual(model.find(step.filter, step.sort))
              expect((await db.run({ count: 'things', query: queryOf(step.filter) }))['n']).toBe(found.length)
              break
            }
            case 'transaction':
              await transaction(db, model, step, ++transactions)
              break
            case 'reopen':
              db.reopen()
              break
          }
        }
        expect(await all(db)).toEqual(model.all())
        expect(await checkFile(db.file)).toEqual([])
      }),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 60) }
    )
  }, 300_000)
})

const all = async (db: InProcess): Promise<Document[]> => {
  const answer = await db.run({ find: 'things', sort: { _id: 1 }, batchSize: 1000 })
  return (answer['cursor'] as Document)['firstBatch'] as Document[]
}

const transaction = async (
  db: InProcess,
  model: ReturnType<typeof createModel>,
  step: { id: number; document: Document; filter: ModelFilter; update: ModelUpdate; commit: boolean },
  number: number
): Promise<void> => {
  const { Binary } = await import('bson')
  const within = { lsid: { id: new Binary(Buffer.alloc(16, number), 4) }, txnNumber: 1, autocommit: false }
  const inserted = await db.run({
    insert: 'things',
    documents: [{ _id: step.id, ...step.document }],
    ...within,
    startTransaction: true
  })
  // An error ends a transaction.
  if (inserted['ok'] !== 1) return
  const updated = await db.run({
    update: 'things',
    updates: [
      { q: queryOf(step.filter), u: { [step.update.op]: { [step.update.path]: step.update.value } }, multi: true }
    ],
    ...within
  })
  if (updated['ok'] !== 1) return
  const inside = model.copy()
  inside.insert(step.id, step.document)
  inside.update(step.filter, step.update, true)
  const seen = await db.run({
    find: 'things',
    filter: queryOf(step.filter),
    sort: { _id: 1 },
    batchSize: 1000,
    ...within
  })
  expect(((seen['cursor'] as Document)['firstBatch'] as Document[]).map(({ _id }) => _id)).toEqual(
    inside.find(step.filter, null)
  )
  expect(await all(db)).toEqual(model.all())
  await db.run({ [step.commit ? 'commitTransaction' : 'abortTransaction']: 1, ...within, $db: 'admin' })
  if (step.commit) model.adopt(inside.all())
}
