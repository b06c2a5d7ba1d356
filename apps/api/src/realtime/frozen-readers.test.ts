import { createFakeClock, type FakeClock } from '@batti/kit/testing'
import { beforeEach, expect, it } from 'vitest'
import { dropFrozenReaders } from './frozen-readers.ts'

let clock: FakeClock
let stop: () => void
const open = new Set<ReturnType<typeof reader>>()
function reader(waiting: number) {
  const connection = {
    request: { socket: { bytesWritten: waiting, writableLength: waiting } },
    write(bytes: number): void {
      this.request.socket.bytesWritten += bytes
      this.request.socket.writableLength += bytes
    },
    read(bytes: number): void {
      this.request.socket.writableLength -= bytes
    },
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
    slow.read(1000)
    frozen.write(500)
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
    slow.write(5000)
    clock.advance(2000)
    slow.read(1000)
    clock.advance(2000)
  }
  expect([open.has(frozen), open.has(slow)]).toEqual([false, true])
})

it('a busy reader of which the same bytes wait at each look stays, and one whose backlog grows while it reads', () => {
  const busy = reader(68)
  const behind = reader(68)
  for (let second = 0; second < 30; second += 2) {
    busy.write(9000)
    busy.read(9000)
    behind.write(9000)
    behind.read(8000)
    clock.advance(2000)
  }
  expect([open.has(busy), open.has(behind)]).toEqual([true, true])
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
