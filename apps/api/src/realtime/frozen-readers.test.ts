import { createFakeClock, type FakeClock } from '@batti/kit/testing'
import { beforeEach, expect, it } from 'vitest'
import { dropFrozenReaders } from './frozen-readers.ts'

let clock: FakeClock
const open = new Set<ReturnType<typeof reader>>()
function reader(waiting: number) {
  const connection = { transport: { socket: { bufferedAmount: waiting } }, close: () => void open.delete(connection) }
  open.add(connection)
  return connection
}

beforeEach(() => {
  clock = createFakeClock()
  open.clear()
  dropFrozenReaders(() => open, clock)
})

it('a reader that reads nothing for ten seconds is dropped, others stay', () => {
  const frozen = reader(1000)
  const idle = reader(0)
  const slow = reader(90_000)
  for (let second = 0; second < 14; second += 2) {
    slow.transport.socket.bufferedAmount -= 1000
    frozen.transport.socket.bufferedAmount += 500
    clock.advance(2000)
    expect(open.has(frozen)).toBe(second < 10)
  }
  expect([open.has(idle), open.has(slow)]).toEqual([true, true])
})

it('a backlog of 4 MB ends it at once', () => {
  const piled = reader(5_000_000)
  clock.advance(2000)
  expect(open.has(piled)).toBe(false)
})
