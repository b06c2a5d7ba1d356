import { describe, expect, it } from 'vitest'
import { fieldsOfGroup, fieldsOfProjection } from './fields-needed.ts'

describe('the fields that are needed', () => {
  it.each([
    [{ _id: 1 }, ['_id']],
    [{ name: 1, 'a.b': true }, ['_id', 'name', 'a']],
    [{ name: 1, _id: 0 }, ['_id', 'name']]
  ])('by a projection that keeps %j', (projection, fields) => {
    expect([...(fieldsOfProjection(projection) ?? [])].toSorted()).toEqual(fields.toSorted())
  })
  it.each([
    [undefined],
    [{}],
    [{ name: 0 }],
    [{ _id: 0 }],
    [{ 'list.$': 1 }],
    [{ list: { $slice: 1 } }],
    [{ a: '$b' }]
  ])('by the projection %j may be any', (projection) => expect(fieldsOfProjection(projection)).toBeNull())
  it('by a group are those that it names', () => {
    const group = { _id: { a: '$userId', b: ['$x.y', 'text'] }, count: { $sum: { $cond: ['$isOnline', 1, 0] } } }
    expect([...(fieldsOfGroup({ $group: group }) ?? [])].toSorted()).toEqual(['isOnline', 'userId', 'x'])
  })
  it.each([
    [{ $match: {} }],
    [{ $group: { _id: '$a', all: { $push: '$$ROOT' } } }],
    [{ $group: { _id: { $getField: 'a' } } }]
  ])('by %j may be any', (stage) => expect(fieldsOfGroup(stage)).toBeNull())
})
