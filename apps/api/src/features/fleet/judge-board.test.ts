import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeBoard, median, noFacts, noteCommand, noteConnection, noteSignal, type BoardFacts } from './judge-board.ts'

const hour = 3_600_000
const now = Date.parse('2026-11-20T06:00:00Z')
const board = (changes: Partial<BoardFacts> = {}): BoardFacts => ({
  isOnline: true,
  isSeen: true,
  onlineChangedAt: now - hour,
  hwModel: 'batti-wall-4',
  osVersion: '1.4.0',
  ...noFacts(),
  ...changes
})
const judge = (facts: BoardFacts, at = now, isOutdated = false) =>
  judgeBoard(facts, { now: at, silentMs: 24 * hour, isOutdated })

test('a board that is online and answers has no problem; one that never connected is only never-seen', () => {
  expect(judge(board({ onlineChangedAt: now - 48 * hour }))).toEqual([])
  expect(judge(board({ isSeen: false, isOnline: false, onlineChangedAt: 0 }), now, true)).toEqual(['never-seen'])
})

test.each([
  [24 * hour, []],
  [24 * hour + 1, ['silent']],
  [30 * 24 * hour, ['silent']],
  [30 * 24 * hour + 1, []]
])('offline for %d ms is %j', (away, reasons) => {
  expect(judge(board({ isOnline: false, onlineChangedAt: now - away }))).toEqual(reasons)
})

test('six connections within an hour are flapping, until the hour has passed', () => {
  const facts = board()
  for (let at = 0; at < 5; at += 1) noteConnection(facts, now + at)
  expect(judge(facts, now + 5)).toEqual([])
  noteConnection(facts, now + 5)
  expect(judge(facts, now + 5)).toEqual(['flapping'])
  expect(judge(facts, now + hour)).toEqual([])
  for (let at = 6; at < 1000; at += 1) noteConnection(facts, now + at)
  expect(facts.connections).toHaveLength(6)
})

test('three unanswered of the last twenty commands are failing; twenty answered ones end it', () => {
  const facts = board()
  for (let count = 0; count < 2; count += 1) noteCommand(facts, false)
  expect(judge(facts)).toEqual([])
  noteCommand(facts, false)
  expect(judge(facts)).toEqual(['failing'])
  for (let count = 0; count < 17; count += 1) noteCommand(facts, true)
  expect(judge(facts)).toEqual(['failing'])
  noteCommand(facts, true)
  expect(judge(facts)).toEqual([])
})

test('the median of an hour decides on the signal, not its minimum', () => {
  const facts = board()
  for (const [minute, dbm] of [-95, -70, -71, -95, -72].entries()) noteSignal(facts, now + minute * 60_000, dbm)
  expect(judge(facts, now + 5 * 60_000)).toEqual([])
  for (const [minute, dbm] of [-90, -91, -92].entries()) noteSignal(facts, now + (5 + minute) * 60_000, dbm)
  expect(judge(facts, now + 8 * 60_000)).toEqual(['weak'])
  expect(judge(facts, now + 2 * hour)).toEqual([])
})

test('a signal of -80 dBm is not weak yet, and signals are kept for an hour', () => {
  const facts = board()
  for (let minute = 0; minute < 180; minute += 1) noteSignal(facts, now + minute * 60_000, -80)
  expect(judge(facts, now + 180 * 60_000)).toEqual([])
  expect(facts.signals).toHaveLength(60)
})

test.each([
  [[], 0],
  [[-70], -70],
  [[-70, -95], -82.5],
  [[-70, -95, -75], -75],
  [[-70, -95, -60, -80], -75]
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle)
})

test('a board is weak exactly if the median of its signals is below -80 dBm', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -84, max: -76 }), { maxLength: 19 }), (signals) => {
      const facts = board()
      for (const dbm of signals) noteSignal(facts, now, dbm)
      expect(judge(facts)).toEqual(median(signals) < -80 ? ['weak'] : [])
    })
  )
})

test('a signal above zero is a strong one, of its own minute', () => {
  const facts = board()
  for (let minute = 0; minute < 3; minute += 1) noteSignal(facts, now + minute * 60_000, 127)
  expect(judge(facts, now + hour - 1)).toEqual([])
})

test('several signals of one minute all count, up to twenty', () => {
  const facts = board()
  for (const dbm of [...Array.from({ length: 8 }, () => -50), -90, -90, -90]) noteSignal(facts, now, dbm)
  expect(judge(facts)).toEqual([])
  for (let count = 0; count < 9; count += 1) noteSignal(facts, now + 15_000, -90)
  expect(judge(facts, now + 15_000)).toEqual(['weak'])
  for (let count = 0; count < 1000; count += 1) {
    noteSignal(facts, now + 30_000, -50)
    expect(facts.signals).toHaveLength(20)
  }
})

test('what was noted while the clock was ahead does not count once it is set back', () => {
  const facts = board()
  const ahead = now + 800 * 24 * hour
  for (let count = 0; count < 6; count += 1) noteConnection(facts, ahead + count)
  for (let minute = 0; minute < 5; minute += 1) noteSignal(facts, ahead + minute * 60_000, -95)
  expect(judge(facts, ahead + 5 * 60_000)).toEqual(['flapping', 'weak'])
  expect(judge(facts)).toEqual([])
  noteConnection(facts, now)
  noteSignal(facts, now, -60)
  expect(facts).toMatchObject({ connections: [now], signals: { length: 1 } })
})
