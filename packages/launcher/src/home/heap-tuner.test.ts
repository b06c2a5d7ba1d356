import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createHeapTuner, smallHeap } from './heap-tuner.ts'

const fast = ['--no-optimize-for-size', '--semi-space-growth-factor=2']

function setUp() {
  const clock = createFakeClock()
  const flags: string[] = []
  const memory = { live: 100, garbage: 60, collections: [] as ('start' | 'growth')[] }
  const cpu = { share: 0.01, usedMs: 0 }
  const { passed } = createHeapTuner({
    clock,
    setFlag: (flag) => void flags.push(flag),
    cpuMs: () => cpu.usedMs,
    residentBytes: () => (memory.live + memory.garbage) * 1024 * 1024,
    collect(after) {
      memory.collections.push(after)
      memory.garbage = 0
    }
  })
  /** Messages of one second, evenly distributed. */
  const second = (messages: number): void => {
    for (let sent = 0; sent < messages; sent += 1) {
      cpu.usedMs += (1000 / messages) * cpu.share
      clock.advance(1000 / messages)
      passed()
    }
  }
  const seconds = (count: number, messages: number): void => {
    for (let done = 0; done < count; done += 1) second(messages)
  }
  return { flags, memory, cpu, second, seconds, silence: (time: number) => clock.advance(time * 1000) }
}

test('three consecutive seconds of high traffic end that, one quieter second restores it', () => {
  const { flags, second } = setUp()
  second(2000)
  second(2000)
  expect(flags).toEqual([])
  second(2000)
  second(5000)
  expect(flags).toEqual(fast)
  second(1000)
  second(1000)
  expect(flags).toEqual([...fast, ...smallHeap])
})

test("boards that reconnect together, and a day's usual traffic, are no load", () => {
  const { flags, second } = setUp()
  for (let round = 0; round < 5; round += 1) {
    second(2000)
    second(2000)
    second(150)
  }
  for (let minute = 0; minute < 60; minute += 1) second(600)
  expect(flags).toEqual([])
})

test('messages after a pause are averaged over it', () => {
  const { flags, second, silence } = setUp()
  for (let seconds = 0; seconds < 4; seconds += 1) second(2000)
  silence(60)
  second(1)
  expect(flags).toEqual([...fast, ...smallHeap])
})

test('what a start has left is collected once, at the first rest', () => {
  const { memory, seconds } = setUp()
  seconds(30, 200)
  seconds(9, 10)
  expect(memory.collections).toEqual([])
  seconds(6, 10)
  expect(memory.collections).toEqual(['start'])
  seconds(600, 10)
  expect(memory.collections).toEqual(['start'])
})

test('it is collected also when no messages come', () => {
  const { memory, silence } = setUp()
  silence(60)
  expect(memory.collections).toEqual(['start'])
})

test.each([
  { live: 100, little: 7 },
  { live: 800, little: 49 }
])('what makes $live MiB grow by more than $little is collected at the next rest', ({ live, little }) => {
  const { memory, seconds } = setUp()
  memory.live = live
  seconds(60, 10)
  memory.garbage = little
  seconds(60, 10)
  expect(memory.collections).toEqual(['start'])
  memory.garbage = little + 1
  seconds(60, 10)
  expect(memory.collections).toEqual(['start', 'growth'])
})

test('memory that is in use is not collected again and again', () => {
  const { memory, seconds } = setUp()
  seconds(60, 10)
  memory.live += 40
  seconds(600, 10)
  expect(memory.collections).toEqual(['start', 'growth'])
})

test('memory that has become less counts from there', () => {
  const { memory, seconds } = setUp()
  seconds(60, 10)
  memory.live -= 40
  seconds(10, 10)
  memory.garbage = 20
  seconds(10, 10)
  expect(memory.collections).toEqual(['start', 'growth'])
})

test('nothing is collected while people or boards keep the processor busy in other ways', () => {
  const { memory, cpu, seconds } = setUp()
  cpu.share = 0.1
  seconds(60, 10)
  cpu.share = 0.09
  seconds(9, 10)
  expect(memory.collections).toEqual([])
  seconds(6, 10)
  expect(memory.collections).toEqual(['start'])
})

test('nothing is collected during taps, which would wait for it', () => {
  const { memory, seconds } = setUp()
  seconds(5, 2000)
  seconds(60, 200)
  seconds(8, 10)
  seconds(1, 200)
  seconds(9, 10)
  expect(memory.collections).toEqual([])
  seconds(6, 10)
  expect(memory.collections).toEqual(['start'])
})
