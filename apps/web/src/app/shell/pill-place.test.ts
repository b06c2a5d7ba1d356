import { expect, test } from 'vitest'
import { memoryStorage } from '#web/test/memory-storage.ts'
import { keepInside, placeAfterKey, readPillPlace, writePillPlace } from './pill-place.ts'

const page = { width: 1000, height: 800 }

test('a place is remembered', () => {
  const storage = memoryStorage()
  writePillPlace(storage, { x: 0.25, y: 0.5 })
  expect(readPillPlace(storage)).toEqual({ x: 0.25, y: 0.5 })
})

test.each(['', 'here', '0.5', '0.5,NaN', ','])('an unreadable place ("%s") becomes the bottom centre', (stored) => {
  expect(readPillPlace(memoryStorage({ quickNav: stored }))).toEqual({ x: 0.5, y: 0.94 })
})

test('the whole pill stays inside the window', () => {
  const pill = { width: 400, height: 50 }
  expect(keepInside({ x: 0, y: 2 }, pill, page)).toEqual({ x: 0.204, y: 1 - 29 / 800 })
})

test('arrow keys move it, others do not', () => {
  const place = { x: 0.5, y: 0.5 }
  expect(placeAfterKey(place, 'ArrowLeft', page)).toEqual({ x: 0.476, y: 0.5 })
  expect(placeAfterKey(place, 'ArrowDown', page)).toEqual({ x: 0.5, y: 0.53 })
  expect(placeAfterKey(place, 'Enter', page)).toBeNull()
})
