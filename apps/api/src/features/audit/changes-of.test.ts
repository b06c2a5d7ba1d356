import { expect, test } from 'vitest'
import { changesOf } from './changes-of.ts'

test('only fields that differ are listed, ids and dates as text', () => {
  const at = new Date('2026-11-22T06:00:00Z')
  expect(changesOf({ name: 'A', at, labels: ['lab'] }, { name: 'B', at: new Date(at), labels: ['lab'] })).toEqual([
    { field: 'name', before: 'A', after: 'B' }
  ])
  expect(changesOf({ name: 'A', room: null }, { name: 'A' })).toEqual([])
})

test('a new record lists every field without a value before, a deleted one without a value after', () => {
  expect(changesOf(null, { name: 'A', phone: null })).toEqual([
    { field: 'name', before: null, after: 'A' },
    { field: 'phone', before: null, after: null }
  ])
  expect(changesOf({ name: 'A' }, null)).toEqual([{ field: 'name', before: 'A', after: null }])
})

test('a secret field is named without its value', () => {
  const changes = changesOf({ wifiPassword: 'one', passwordHash: 'x' }, { wifiPassword: 'two', passwordHash: 'x' })
  expect(changes).toEqual([{ field: 'wifiPassword', before: null, after: null }])
})

test('long values are truncated to 200 characters, lists too', () => {
  const [text, list] = changesOf({ text: '', list: [] }, { text: 'x'.repeat(500), list: Array(300).fill(1) })
  expect(text?.after).toHaveLength(200)
  expect(list?.after).toHaveLength(200)
})
