import { describe, expect, it } from 'vitest'
import { fieldsOfGroup, fieldsOfProjection } from './fields-needed.ts'

describe('the fields that a stage needs', () => {
  it.each([
    [{ _id: 1 }, ['_id']],
    [{ name: 1, 'a.b': true }, ['_id', 'name', 'a']],
    [{ name: 1, _id: 0 }, ['_id', 'name']]
  ])('of a projection that keeps %j', (projection, fields) => {
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
  ])('of the projection %j are all', (projection) => expect(fieldsOfProjection(projection)).toBeNull())
  it('of a group are those that it names', () => {
    const group = { _id: { a: '$userId', b: ['$x.y', 'text'] }, count: { $sum: { $cond: ['$isOnline', 1, 0] } } }
    expect([...(fieldsOfGroup({ $group: group }) ?? [])].toSorted()).toEqual(['isOnline', 'userId', 'x'])
  })
  it.each([
    [{ $match: {} }],
    [{ $group: { _id: '$a', all: { $push: '$$ROOT' } } }],
    [{ $group: { _id: { $getField: 'a' } } }]
  ])('of %j are all', (stage) => expect(fieldsOfGroup(stage)).toBeNull())
})
