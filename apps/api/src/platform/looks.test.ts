import { expect, test } from 'vitest'
import { createLooks } from './looks.ts'

const minuteMs = 60_000
const startedAt = Date.parse('2026-03-01T12:00:20Z')

function looksAt({ isAlone }: { isAlone: boolean }) {
  let now = startedAt
  const looks = createLooks({ isAlone, now: () => now })
  /** How many of the next seconds bring a look. */
  const looked = (seconds: number): number => {
    let count = 0
    for (let second = 0; second < seconds; second += 1) {
      now += 1000
      if (looks.isTime()) count += 1
    }
    return count
  }
  return { looked, wake: looks.wake, jump: (ms: number) => void (now += ms) }
}

test('where others write there, each second is one to look', () => {
  expect(looksAt({ isAlone: false }).looked(180)).toBe(180)
})

test('one that is alone looks after its start, when a minute begins, and after it was woken', () => {
  const { looked, wake } = looksAt({ isAlone: true })
  expect(looked(14)).toBe(14)
  expect(looked(25)).toBe(0)
  // 12:01:00
  expect(looked(60)).toBe(3)
  expect(looked(40)).toBe(3)
  wake()
  expect(looked(14)).toBe(14)
  expect(looked(5)).toBe(0)
})

test('a clock that jumps, there or back, is followed within a second', () => {
  const { looked, jump } = looksAt({ isAlone: true })
  looked(30)
  jump(7 * minuteMs)
  expect(looked(1)).toBe(1)
  looked(30)
  jump(-7 * minuteMs)
  expect(looked(1)).toBe(1)
  // What it was awake for in the time that was taken back is not a reason to look for minutes.
  expect(looked(60)).toBeLessThan(30)
})
