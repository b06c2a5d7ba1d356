import { createFakeClock, type FakeClock } from '@batti/kit/testing'
import { beforeEach, expect, it } from 'vitest'
import { dropFrozenReaders } from './frozen-readers.ts'

let clock: FakeClock
let stop: () => void
const open = new Set<ReturnType<typeof reader>>()
function reader(waiting: number) {
  const connection = {
    transport: { socket: { bufferedAmount: waiting } },
    hows: [] as unknown[],
    close(isDiscarded?: boolean): void {
      this.hows.push(isDiscarded)
      open.delete(connection)
    }
  }
  open.add(connection)
  return connection
}

beforeEach(() => {
  clock = createFakeClock()
  open.clear()
  stop = dropFrozenReaders(() => open, clock)
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
  // What it has not read would only delay the end.
  expect(frozen.hows).toEqual([true])
})

it('a reader to which nothing more is sent meanwhile is dropped too, and one that reads part of what was added stays', () => {
  const frozen = reader(1000)
  const slow = reader(1000)
  for (let second = 0; second < 14; second += 4) {
    slow.transport.socket.bufferedAmount += 5000
    clock.advance(2000)
    slow.transport.socket.bufferedAmount -= 1000
    clock.advance(2000)
  }
  expect([open.has(frozen), open.has(slow)]).toEqual([false, true])
})

it('a reader that long polls has no socket to buffer anything, and stays', () => {
  const polling = { transport: {}, close: () => void open.delete(polling as never) }
  open.add(polling as never)
  clock.advance(60_000)
  expect(open.size).toBe(1)
})

it('a backlog of 4 MB ends it at once', () => {
  const piled = reader(5_000_000)
  clock.advance(2000)
  expect(open.has(piled)).toBe(false)
})

it('nobody is dropped after the check was stopped', () => {
  clock.advance(3000)
  stop()
  reader(5_000_000)
  clock.advance(60_000)
  expect(open.size).toBe(1)
})
