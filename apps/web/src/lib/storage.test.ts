import { expect, test } from 'vitest'
import { memoryStorage } from '#web/test/memory-storage.ts'
import { safeStorage } from './storage.ts'

const full = () => {
  throw new DOMException('full', 'QuotaExceededError')
}

test('on a phone whose storage is full a login lasts until the page is closed', () => {
  const kept = memoryStorage({ accessToken: 'old' })
  const storage = safeStorage(() => ({ ...kept, setItem: full }))
  storage.setItem('accessToken', 'new')
  expect(storage.getItem('accessToken')).toBe('new')
  // The next page must not use a value that was replaced.
  expect(kept.getItem('accessToken')).toBeNull()
  // Another page had space for it.
  kept.setItem('accessToken', 'newer')
  expect(storage.getItem('accessToken')).toBe('newer')
  storage.removeItem('accessToken')
  expect(storage.getItem('accessToken')).toBeNull()
})

test('a value that another page removed is gone here too', () => {
  const kept = memoryStorage()
  const storage = safeStorage(() => kept)
  storage.setItem('accessToken', 'a')
  kept.removeItem('accessToken')
  expect(storage.getItem('accessToken')).toBeNull()
})

test('if the browser forbids storage, values are kept until the page is closed', () => {
  const storage = safeStorage(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  storage.setItem('theme', 'dark')
  expect(storage.getItem('theme')).toBe('dark')
  storage.removeItem('theme')
  expect(storage.getItem('theme')).toBeNull()
})
