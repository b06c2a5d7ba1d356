import { minuteMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import { createMemoryCluster } from '../testing/memory-cluster.ts'
import { singleInstance, type Cluster } from './cluster/cluster.ts'
import { createPollTimes } from './poll-times.ts'

const startedAt = Date.parse('2026-03-01T12:00:20Z')

function looksAt({ isAlone, cluster = singleInstance('one') }: { isAlone: boolean; cluster?: Cluster }) {
  let now = startedAt
  const pollTimes = createPollTimes({ name: 'lamps', isAlone, cluster, now: () => now })
  /** Counts the next seconds with a poll. */
  const looked = (seconds: number): number => {
    let count = 0
    for (let second = 0; second < seconds; second += 1) {
      now += 1000
      if (pollTimes.isTime()) count += 1
    }
    return count
  }
  return { looked, wake: pollTimes.wake, jump: (ms: number) => void (now += ms) }
}

test('with other instances that cannot send messages, it polls every second', () => {
  expect(looksAt({ isAlone: false }).looked(180)).toBe(180)
})

test('connected instances poll when a minute begins, for longer than a lease, and wake each other', async () => {
  const cluster = createMemoryCluster()
  const one = looksAt({ isAlone: false, cluster: cluster.join('one') })
  const other = looksAt({ isAlone: false, cluster: cluster.join('other') })
  expect(one.looked(39)).toBe(14)
  expect(other.looked(39)).toBe(14)
  // 12:01:00
  expect(other.looked(20)).toBe(15)
  one.wake()
  await cluster.settled()
  expect(other.looked(20)).toBe(14)
})

test('an instance that stays awake keeps the others awake', async () => {
  const cluster = createMemoryCluster()
  const one = looksAt({ isAlone: false, cluster: cluster.join('one') })
  const other = looksAt({ isAlone: false, cluster: cluster.join('other') })
  for (let second = 0; second < 180; second += 1) {
    one.looked(1)
    one.wake()
    await cluster.settled()
    expect(other.looked(1)).toBe(1)
  }
})

test('disconnected instances poll every second, and after a reconnect for what they missed', () => {
  const cluster = createMemoryCluster()
  const { looked } = looksAt({ isAlone: false, cluster: cluster.join('one') })
  looked(20)
  cluster.turn(false)
  expect(looked(225)).toBe(225)
  cluster.turn(true)
  expect(looked(10)).toBe(10)
})

test('a single instance polls after its start, when a minute begins, and after it was woken', () => {
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

test('a clock that jumps, either way, is followed within a second', () => {
  const { looked, jump } = looksAt({ isAlone: true })
  looked(30)
  jump(7 * minuteMs)
  expect(looked(1)).toBe(1)
  looked(30)
  jump(-7 * minuteMs)
  expect(looked(1)).toBe(1)
  // An earlier wake-up in the repeated time is no reason to poll for minutes.
  expect(looked(60)).toBeLessThan(30)
})
