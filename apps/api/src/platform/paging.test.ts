import { expect, test } from 'vitest'
import { orderOf } from './paging.ts'

test('rows of one value stand in one order, whichever the column and the direction, so that no page repeats a row', () => {
  expect(Object.entries(orderOf(undefined, { timestamp: -1 }))).toEqual([
    ['timestamp', -1],
    ['_id', -1]
  ])
  expect(Object.entries(orderOf('name', { timestamp: -1 }))).toEqual([
    ['name', 1],
    ['_id', 1]
  ])
  expect(Object.entries(orderOf('-owner', { timestamp: -1 }, { owner: 'owner.name' }))).toEqual([
    ['owner.name', -1],
    ['_id', -1]
  ])
  expect(orderOf('-userId', { timestamp: -1 }, { userId: '_id' })).toEqual({ _id: -1 })
})
