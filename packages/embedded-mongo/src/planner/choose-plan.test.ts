import { BSONRegExp, MaxKey, MinKey } from 'bson'
import { describe, expect, it } from 'vitest'
import type { Document } from '../bson/document.ts'
import { parseCollation } from '../query/collation.ts'
import { parseFilter } from '../query/filter.ts'
import { parseSort } from '../query/sort.ts'
import { parseIndex, type Index } from '../storage/indexes/index-spec.ts'
import { choosePlan } from './choose-plan.ts'
import type { Plan } from './plan.ts'

const index = (key: Document, more: Document = {}, arrays: string[] = []): Index => ({
  ...parseIndex({ key, ...more }),
  multikey: new Set(arrays)
})
const plan = (indexes: Index[], filter: Document, sort: Document = {}, collation: unknown = null): Plan =>
  choosePlan({
    filter: parseFilter(filter),
    sort: parseSort(sort),
    collation: parseCollation(collation),
    indexes: [index({ _id: 1 }), ...indexes],
    hint: null
  })
const nameOf = (chosen: Plan): string => (chosen.kind === 'index' ? chosen.index.name : chosen.kind)

describe('the choice of an index', () => {
  it('prefers the longest equality prefix, then a range, then the sort', () => {
    const indexes = [index({ a: 1 }), index({ a: 1, b: 1 }), index({ a: 1, c: 1 }), index({ d: -1 })]
    expect(nameOf(plan(indexes, { a: 1, b: 2 }))).toBe('a_1_b_1')
    expect(nameOf(plan(indexes, { a: 1, c: { $gt: 2 } }))).toBe('a_1_c_1')
    expect(nameOf(plan(indexes, { a: 1 }, { c: 1 }))).toBe('a_1_c_1')
    expect(nameOf(plan(indexes, { a: 1 }))).toBe('a_1')
    expect(nameOf(plan(indexes, {}, { d: 1 }))).toBe('d_-1')
    expect(nameOf(plan(indexes, { z: 1 }))).toBe('scan')
    expect(nameOf(plan(indexes, { _id: 5, a: 1 }))).toMatch(/_id_|a_1/)
  })

  it('reads an index backwards when the sort needs it', () => {
    const indexes = [index({ a: 1, b: 1 })]
    expect(plan(indexes, { a: 1 }, { b: -1 })).toMatchObject({ direction: -1, providesSort: true })
    expect(plan(indexes, {}, { a: -1, b: -1 })).toMatchObject({ direction: -1, providesSort: true })
    expect(nameOf(plan(indexes, {}, { a: 1, b: -1 }))).toBe('scan')
  })

  it('merges the ranges of a $in for a sort by the next field', () => {
    expect(plan([index({ a: 1, b: -1 })], { a: { $in: [1, 2, 3] } }, { b: -1 })).toMatchObject({
      providesSort: true,
      merge: [expect.any(Number), expect.any(Number), expect.any(Number)]
    })
  })

  it('merges them only if the sort does not ask for the field of the $in as well', () => {
    const indexes = [index({ t: 1, a: 1, b: -1 })]
    const merged = (sort: Document): unknown => plan(indexes, { t: 5, a: { $in: [1, 2] } }, sort)
    expect(merged({ t: 1, b: -1 })).toMatchObject({
      providesSort: true,
      merge: [expect.any(Number), expect.any(Number)]
    })
    expect(merged({ b: -1, a: 1 })).toMatchObject({ providesSort: false, merge: null })
  })

  it('combines the branches of an $or if all have an index', () => {
    const indexes = [index({ a: 1 }), index({ b: 1 })]
    expect(plan(indexes, { $or: [{ a: 1 }, { b: 2 }] }).kind).toBe('or')
    expect(plan(indexes, { $or: [{ a: 1 }, { z: 2 }] }).kind).toBe('scan')
    expect(nameOf(plan(indexes, { a: 5, $or: [{ z: 1 }, { b: 2 }] }))).toBe('a_1')
  })

  it('plans no rows for a query that cannot match', () => {
    expect(plan([], { a: { $in: [] } }).kind).toBe('none')
  })
})

describe('queries that an index must not be used for', () => {
  it('a sparse index: queries that match a missing field, and sorting without a filter', () => {
    const indexes = [index({ a: 1 }, { sparse: true })]
    expect(nameOf(plan(indexes, { a: 1 }))).toBe('a_1')
    expect(nameOf(plan(indexes, { a: null }))).toBe('scan')
    expect(nameOf(plan(indexes, { a: { $in: [1, null] } }))).toBe('scan')
    expect(nameOf(plan(indexes, {}, { a: 1 }))).toBe('scan')
  })

  it('a partial index: queries that are less strict than its filter', () => {
    const indexes = [index({ a: 1 }, { partialFilterExpression: { state: 'open', n: { $gt: 5 } } })]
    expect(nameOf(plan(indexes, { a: 1 }))).toBe('scan')
    expect(nameOf(plan(indexes, { a: 1, state: 'open' }))).toBe('scan')
    expect(nameOf(plan(indexes, { a: 1, state: 'open', n: { $gte: 5 } }))).toBe('scan')
    expect(nameOf(plan(indexes, { a: 1, state: 'open', n: { $gt: 5 } }))).toBe('a_1')
    expect(nameOf(plan(indexes, { a: 1, state: { $in: ['open'] }, n: 6 }))).toBe('a_1')
  })

  it.each<[Document, Document[], Document]>([
    [{ n: { $lt: 5 } }, [{ n: { $lt: 6 } }, { n: { $lte: 5 } }, { n: { $gt: 7 } }, { n: 5 }], { n: { $lt: 4 } }],
    [{ n: { $gte: 5 } }, [{ n: { $gte: 4 } }, { n: { $lt: 7 } }, { n: { $gt: 'x' } }], { n: { $gt: 5 } }],
    [
      { n: { $exists: true } },
      [{ n: { $gt: new MinKey() } }, { n: { $lte: new MaxKey() } }, { n: { $gte: null } }],
      { n: { $lte: 5 } }
    ],
    [{ 'n.m': { $exists: true } }, [{ 'n.m': { $ne: null } }], { 'n.m': { $gt: 5 } }],
    [{ n: { $exists: true } }, [{ n: { $nin: [null] } }], { n: { $ne: null } }],
    [{ n: { $type: 'int' } }, [{ n: 5 }, { n: { $in: [5] } }], { n: { $type: 'int' } }],
    [{ n: { $type: 'string' } }, [{ n: new BSONRegExp('^x') }, { n: 5 }], { n: 'x' }],
    [{ n: { $type: ['number', 'string'] } }, [{ n: null }], { n: { $in: [5, 'x'] } }]
  ])('a partial index with %j: queries that also match what it leaves out', (partialFilterExpression, less, same) => {
    const indexes = [index({ a: 1 }, { partialFilterExpression })]
    for (const query of less) expect(nameOf(plan(indexes, { a: 1, ...query }))).toBe('scan')
    expect(nameOf(plan(indexes, { a: 1, ...same }))).toBe('a_1')
  })

  it('an index with another collation: strings', () => {
    const indexes = [index({ a: 1 }, { collation: { locale: 'en', strength: 2 } })]
    expect(nameOf(plan(indexes, { a: 'x' }))).toBe('scan')
    for (const text of [{ $in: [5, 'x'] }, { $gt: 'x' }, { $lte: 'x' }, { $regex: '^x' }])
      expect(nameOf(plan(indexes, { a: text }))).toBe('scan')
    for (const other of [5, { $in: [5, 6] }, { $gt: 5 }, { $gte: 5 }, { $lt: 5 }, { $lte: 5 }])
      expect(nameOf(plan(indexes, { a: other }))).toBe('a_1')
    expect(nameOf(plan(indexes, { a: 'x' }, {}, { locale: 'en', strength: 2 }))).toBe('a_1')
    expect(nameOf(plan(indexes, { a: { $gt: 'x' } }, {}, { locale: 'en', strength: 2 }))).toBe('scan')
    expect(nameOf(plan([index({ a: 1 })], { a: 'x' }, {}, { locale: 'en', strength: 2 }))).toBe('scan')
  })

  it('an index with arrays: two predicates at once, sorting by the array, and exact results', () => {
    const arrays = index({ a: 1, b: 1 }, {}, ['a'])
    const both = plan([arrays], { a: { $gt: 1, $lt: 5 } })
    expect(both).toMatchObject({ kind: 'index', exact: false })
    expect(nameOf(plan([arrays], {}, { a: 1 }))).toBe('scan')
    expect(plan([index({ 'x.a': 1, 'x.b': 1 }, {}, ['x'])], { 'x.a': 1, 'x.b': 2 })).toMatchObject({
      bounds: [expect.anything(), null]
    })
    expect(plan([arrays], { a: null })).toMatchObject({ exact: false })
    expect(plan([index({ a: 1 })], { a: null })).toMatchObject({ exact: true })
    expect(plan([index({ a: 1 })], { a: 5 })).toMatchObject({ exact: true })
    expect(plan([index({ a: 1 })], { a: 5, b: 1 })).toMatchObject({ exact: false })
  })

  it('any index: a list with a pattern among its values', () => {
    expect(nameOf(plan([index({ a: 1 })], { a: { $in: [1, new BSONRegExp('x')] } }))).toBe('scan')
  })

  it('a hidden index: anything', () => {
    expect(nameOf(plan([index({ a: 1 }, { hidden: true })], { a: 1 }))).toBe('scan')
  })
})
