import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createHeapTuner } from './heap-tuner.ts'

const small = ['--optimize-for-size', '--semi-space-growth-factor=1']
const fast = ['--no-optimize-for-size', '--semi-space-growth-factor=2']

function setUp() {
  const clock = createFakeClock()
  const flags: string[] = []
  let collections = 0
  const { passed } = createHeapTuner({
    clock,
    setFlag: (flag) => void flags.push(flag),
    collect: () => void (collections += 1)
  })
  /** Messages of one second, evenly distributed. */
  const second = (messages: number): void => {
    for (let sent = 0; sent < messages; sent += 1) {
      clock.advance(1000 / messages)
      passed()
    }
  }
  return { flags, second, collections: () => collections, silence: (seconds: number) => clock.advance(seconds * 1000) }
}

test('a heap is kept small from the start', () => {
  expect(setUp().flags).toEqual(small)
})

test('three consecutive seconds of high traffic end that, one quieter second restores it', () => {
  const { flags, second } = setUp()
  second(2000)
  second(2000)
  expect(flags).toEqual(small)
  second(2000)
  second(5000)
  expect(flags).toEqual([...small, ...fast])
  second(1000)
  second(1000)
  expect(flags).toEqual([...small, ...fast, ...small])
})

test("boards that reconnect together, and a day's usual traffic, are no load", () => {
  const { flags, second } = setUp()
  for (let round = 0; round < 5; round += 1) {
    second(2000)
    second(2000)
    second(150)
  }
  for (let minute = 0; minute < 60; minute += 1) second(600)
  expect(flags).toEqual(small)
})

test('messages after a pause are averaged over it', () => {
  const { flags, second, silence } = setUp()
  for (let seconds = 0; seconds < 4; seconds += 1) second(2000)
  silence(60)
  second(1)
  expect(flags).toEqual([...small, ...fast, ...small])
})

test('the garbage of a load is collected once, after half a minute of rest', () => {
  const { second, collections } = setUp()
  for (let seconds = 0; seconds < 5; seconds += 1) second(2000)
  for (let seconds = 0; seconds < 28; seconds += 1) second(10)
  for (let seconds = 0; seconds < 4; seconds += 1) second(2000)
  for (let seconds = 0; seconds < 29; seconds += 1) second(10)
  expect(collections()).toBe(0)
  for (let seconds = 0; seconds < 60; seconds += 1) second(10)
  expect(collections()).toBe(1)
})

test('it is collected also when no more messages come', () => {
  const { second, silence, collections } = setUp()
  for (let seconds = 0; seconds < 5; seconds += 1) second(2000)
  silence(60)
  expect(collections()).toBe(1)
})

test('nothing is collected during taps, which would wait for it', () => {
  const { second, collections } = setUp()
  for (let seconds = 0; seconds < 5; seconds += 1) second(2000)
  for (let seconds = 0; seconds < 60; seconds += 1) second(200)
  for (let seconds = 0; seconds < 29; seconds += 1) second(10)
  expect(collections()).toBe(0)
  for (let seconds = 0; seconds < 60; seconds += 1) second(10)
  expect(collections()).toBe(1)
})

test('without a load nothing is collected', () => {
  const { second, collections } = setUp()
  for (let seconds = 0; seconds < 60; seconds += 1) second(600)
  expect(collections()).toBe(0)
})
