import type { DeviceReport } from '@batti/contracts'
import { expect, it } from 'vitest'
import { createGaps } from './gaps.ts'

const report = (seq: number, bootId = 'boot-0001'): DeviceReport => ({
  bootId,
  seq,
  switch: [true],
  speed: [0],
  cause: 'button'
})
const board = { id: 'board', bootId: 'boot-0001', seq: 10, stateAt: 1000 }

it('a missing report has a time between those around it, in the order of their numbers', () => {
  const gaps = createGaps()
  gaps.note(board, report(14), 9000)
  const timeOf = (seq: number, bootId = 'boot-0001') => gaps.timeOf('board', { bootId, seq })
  expect([11, 12, 13].map((seq) => timeOf(seq))).toEqual([8997, 8998, 8999])
  expect([timeOf(10), timeOf(14), timeOf(12, 'boot-0002'), gaps.timeOf('other', report(12))]).toEqual(
    Array.from({ length: 4 }, () => undefined)
  )
})

it('a missing report is not dated before the report before it', () => {
  const gaps = createGaps()
  gaps.note(board, report(14), 1001)
  expect([11, 12, 13].map((seq) => gaps.timeOf('board', report(seq)))).toEqual([1000, 1000, 1000])
})

it('a missing report is dated at most a minute before the next, whatever its number', () => {
  const gaps = createGaps()
  const nextAt = 1_800_000_000_000
  gaps.note({ ...board, stateAt: 0 }, report(Number.MAX_SAFE_INTEGER), nextAt)
  expect(gaps.timeOf('board', report(11))).toBe(nextAt - 60_000)
})

it('the first reports of a new boot may be missing, and the next report of a boot leaves no gap', () => {
  const gaps = createGaps()
  gaps.note(board, report(11), 9000)
  expect(gaps.timeOf('board', report(10))).toBeUndefined()
  gaps.note(board, report(3, 'boot-0002'), 9000)
  expect([1, 2, 3].map((seq) => gaps.timeOf('board', report(seq, 'boot-0002')))).toEqual([8998, 8999, undefined])
})

it('a gap is known however many reports have come in their turn since', () => {
  const gaps = createGaps()
  gaps.note(board, report(14), 9000)
  for (let seq = 15; seq < 15 + 256; seq += 1) gaps.note({ ...board, seq: seq - 1 }, report(seq), 9000)
  expect(gaps.timeOf('board', report(12))).toBe(8998)
})

it('the last 256 gaps of a board are known until it is deleted', () => {
  const gaps = createGaps()
  for (let seq = 2; seq <= 514; seq += 2) gaps.note({ ...board, seq: seq - 2 }, report(seq), 9000)
  expect([1, 3, 513].map((seq) => gaps.timeOf('board', report(seq)))).toEqual([undefined, 8999, 8999])
  gaps.forget('board')
  expect(gaps.timeOf('board', report(513))).toBeUndefined()
})

it('postponed reports are dated when they arrived, however many are postponed after them', () => {
  const gaps = createGaps()
  const arrived = new Map([
    [11, 2000],
    [12, 2001],
    [13, 2050],
    [15, 2100]
  ])
  for (const [seq, at] of arrived) {
    gaps.postpone('board', report(seq), at)
    expect(gaps.timeOf('board', report(11))).toBe(2000)
  }
  for (const [seq, at] of arrived) expect(gaps.timeOf('board', report(seq))).toBe(at)
  expect(gaps.timeOf('board', report(14))).toBeUndefined()
})
