import { expect, test } from 'vitest'
import { memoryStorage } from '#web/test/memory-storage.ts'
import { forgetTyped, keepDraft, keepTyped, takeDraft } from './typed-draft.ts'

function filledForm(): FormData {
  const form = new FormData()
  form.set('ssid', 'Himal-2G')
  form.set('password', 'everest8848')
  form.set('activeColor', 'green')
  form.set('userId', 'u.CODE')
  return form
}

test('typed input is restored after one load, and then gone', () => {
  const storage = memoryStorage({})
  keepDraft(storage, filledForm(), 'sita')
  expect(takeDraft(storage, 'sita')).toMatchObject({ ssid: 'Himal-2G', password: 'everest8848', activeColor: 'green' })
  expect(takeDraft(storage, 'sita')).toBeNull()
  expect(JSON.stringify(storage.values())).not.toContain('everest8848')
})

test.each(['{"ssid":"Himal-2G"}', '{', 'null'])('%s, as another release may have left it, is no input', (left) => {
  const storage = memoryStorage({ 'setup-draft': left })
  expect(takeDraft(storage, 'sita')).toBeNull()
  expect(storage.values()).toEqual({})
})

test('what was typed survives every reload, the password none', () => {
  const storage = memoryStorage({})
  keepTyped(storage, filledForm(), 'sita')
  expect(JSON.stringify(storage.values())).not.toContain('everest8848')
  for (const _reload of [1, 2])
    expect(takeDraft(storage, 'sita')).toMatchObject({ ssid: 'Himal-2G', password: '', activeColor: 'green' })
  forgetTyped(storage)
  expect(takeDraft(storage, 'sita')).toBeNull()
})

test.each([
  ['with', keepDraft],
  ['without', keepTyped]
])('nobody else gets what was stored %s its password', (_with, keep) => {
  const storage = memoryStorage({})
  keep(storage, filledForm(), 'sita')
  expect(takeDraft(storage, 'ram')).toBeNull()
  expect(JSON.stringify(storage.values())).not.toContain('everest8848')
})
