import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gatherMs } from './cluster.ts'
import { createStreamOutbox } from './stream-outbox.ts'

const sent: [stream: string, kinds: string[]][] = []
const outbox = createStreamOutbox((stream, messages) => sent.push([stream, messages.map(([kind]) => kind)]))

beforeEach(() => {
  sent.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => vi.useRealTimers())

it('the messages of one turn are one entry of each stream, in order', async () => {
  outbox.push('all', 'first', 1)
  outbox.push('to-b', 'alone', 2)
  outbox.push('all', 'second', 3)
  expect(sent).toEqual([])
  await nextTurn()
  expect(sent).toEqual([
    ['all', ['first', 'second']],
    ['to-b', ['alone']]
  ])
})

it('messages that may wait are sent together after a while, once', async () => {
  outbox.gather('all', 'first', 1)
  await nextTurn()
  outbox.gather('all', 'second', 2)
  expect(sent).toEqual([])
  vi.advanceTimersByTime(gatherMs * 3)
  expect(sent).toEqual([['all', ['first', 'second']]])
  outbox.gather('all', 'third', 3)
  vi.advanceTimersByTime(gatherMs)
  expect(sent.slice(1)).toEqual([['all', ['third']]])
})

it('what is due in the turn in which an urgent message comes is sent once', async () => {
  outbox.gather('all', 'waits', 1)
  outbox.push('all', 'hurries', 2)
  vi.advanceTimersByTime(gatherMs)
  await nextTurn()
  expect(sent).toEqual([['all', ['waits', 'hurries']]])
})

it('a message that is urgent takes along those that wait, in order', async () => {
  outbox.gather('all', 'waits', 1)
  outbox.push('all', 'hurries', 2)
  await nextTurn()
  vi.advanceTimersByTime(gatherMs)
  expect(sent).toEqual([['all', ['waits', 'hurries']]])
})

it('a flush sends at once, and the end of the turn sends nothing more', async () => {
  outbox.push('all', 'bye', null)
  outbox.flush()
  expect(sent).toEqual([['all', ['bye']]])
  await nextTurn()
  expect(sent).toHaveLength(1)
})
