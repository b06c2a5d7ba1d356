import { createDeviceClaim } from '@batti/contracts'
import { expect, test } from 'vitest'
import { pathOf } from './request.ts'

test('a path has its parameters, encoded, and of the query what was given', () => {
  const route = { ...createDeviceClaim, path: '/rooms/{id}/boards' }
  expect(pathOf(route, { params: { id: 'a/b' } })).toBe('/rooms/a%2Fb/boards')
  expect(pathOf(route, { params: { id: 'r1' }, query: { search: '', page: undefined } })).toBe('/rooms/r1/boards')
  expect(pathOf(route, { params: { id: 'r1' }, query: { search: 'a b', page: 2, kinds: ['x'] } })).toBe(
    '/rooms/r1/boards?search=a+b&page=2&kinds=%5B%22x%22%5D'
  )
})
