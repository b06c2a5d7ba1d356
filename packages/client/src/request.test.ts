import { createDeviceClaim, uploadFirmwareFile } from '@batti/contracts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bodyOf, pathOf } from './request.ts'

test('a path has its parameters, encoded, and of the query what was given', () => {
  const route = { ...createDeviceClaim, path: '/rooms/{id}/boards' }
  expect(pathOf(route, { params: { id: 'a/b' } })).toBe('/rooms/a%2Fb/boards')
  expect(pathOf(route, { params: { id: 'r1' }, query: { search: '', page: undefined } })).toBe('/rooms/r1/boards')
  expect(pathOf(route, { params: { id: 'r1' }, query: { search: 'a b', page: 2, kinds: ['x'] } })).toBe(
    '/rooms/r1/boards?search=a+b&page=2&kinds=%5B%22x%22%5D'
  )
})

test('browsers of early 2023, which cannot count the values of a query, send it too', () => {
  const size = vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never)
  onTestFinished(() => size.mockRestore())
  expect(pathOf(createDeviceClaim, { query: { search: 'lamp' } })).toBe('/device-claims?search=lamp')
})

test('a body is JSON, or a form with the file where the call uploads one', () => {
  expect(bodyOf(createDeviceClaim, {})).toEqual({ body: null, contentType: null })
  expect(bodyOf(createDeviceClaim, { body: { a: [1] } })).toEqual({
    body: '{"a":[1]}',
    contentType: 'application/json'
  })
  const file = new File(['x'], 'a.bin')
  const { body, contentType } = bodyOf(uploadFirmwareFile, {
    body: { version: '1.2.3', models: ['a', 'b'], notes: null },
    file
  })
  expect(contentType).toBeNull()
  expect([...(body as FormData).keys()]).toEqual(['version', 'models', 'firmware'])
  expect((body as FormData).get('models')).toBe('["a","b"]')
})
