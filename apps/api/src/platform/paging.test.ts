import { expect, test } from 'vitest'
import { orderOf, pageInfo, pageSortedBy } from './paging.ts'

test('rows with equal values have one order, for any column and direction, so that no page repeats a row', () => {
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

test('rows are paged by a value that they do not contain, ties by their ids, all reversed together', () => {
  const rows = ['c', 'a', 'd', 'b'].map((_id) => ({ _id }))
  const valueOf = ({ _id }: { _id: string }) => ({ a: 2, b: 1, c: 2, d: 10 })[_id] ?? 0
  const page = (sort: string, skip: number, limit: number) =>
    pageSortedBy(rows, valueOf, sort, { skip, limit }).map(({ _id }) => _id)
  expect(page('value', 0, 10)).toEqual(['b', 'a', 'c', 'd'])
  expect(page('-value', 0, 10)).toEqual(['d', 'c', 'a', 'b'])
  expect(page('value', 1, 2)).toEqual(['a', 'c'])
})

test('a list reports when it has more rows than it counts', () => {
  const page = { page: 1, limit: 500, skip: 0 }
  expect(pageInfo(page, 10_000)).toEqual({ total: 10_000, page: 1, limit: 500, totalPages: 20 })
  expect(pageInfo(page, 10_001)).toEqual({ ...pageInfo(page, 10_000), isTotalCapped: true })
  expect(pageInfo(page, 19_495)).toMatchObject({ total: 19_495, totalPages: 39 })
})
