import { outletsFromWire } from '@batti/contracts'
import { expect, test } from 'vitest'
import {
  endingsBetween,
  nextDeadlineMs,
  noCommands,
  reduceCommands,
  type CommandEvent,
  type Commands
} from './command-machine.ts'

const mac = '34:98:7A:0C:51:E2'
const now = 1_800_000_000_000
const run = (...events: CommandEvent[]): Commands => events.reduce(reduceCommands, noCommands)
const on = (index: number, request = 1): CommandEvent => ({
  type: 'sent',
  mac,
  indexes: [index],
  kind: 'toggle',
  target: { on: true },
  request,
  nowMs: now
})
const report = (states: boolean[], extra: { commandId?: string; speed?: number[] } = {}): CommandEvent => ({
  type: 'reported',
  mac,
  outlets: outletsFromWire({ switch: states, speed: extra.speed ?? states.map(() => 0), fanIndexes: [2] }),
  commandId: extra.commandId,
  nowMs: now + 100
})
const phases = (commands: Commands) => Object.values(commands[mac] ?? {}).map((command) => command.phase)

test('a report with the requested value confirms, whatever its cause', () => {
  expect(phases(run(on(0), report([true, false])))).toEqual(['confirmed'])
})

test('a report with another value leaves the command pending', () => {
  expect(phases(run(on(0), report([false, true])))).toEqual(['pending'])
})

test('a report of another board changes nothing', () => {
  expect(phases(run(on(0), { ...report([true]), mac: 'AA:AA:AA:AA:AA:AA' } as CommandEvent))).toEqual(['pending'])
})

test('the commands of a board are the same object while those of another change', () => {
  const other: CommandEvent = { ...on(0, 2), mac: 'AA:AA:AA:AA:AA:AA' } as CommandEvent
  const before = run(on(0), other)
  const after = reduceCommands(before, { type: 'accepted', request: 2, commandId: 'c2' })
  expect(after).not.toBe(before)
  expect(after[mac]).toBe(before[mac])
})

test("the board's answer to this command with another value ends it", () => {
  const accepted: CommandEvent = { type: 'accepted', request: 1, commandId: 'c1' }
  expect(phases(run(on(0), accepted, report([false], { commandId: 'c1' })))).toEqual(['no-answer'])
  expect(phases(run(on(0), accepted, report([false], { commandId: 'another' })))).toEqual(['pending'])
})

test("the server's number of an older request does not belong to the newer one", () => {
  const accepted = (request: number): CommandEvent => ({ type: 'accepted', request, commandId: `c${request}` })
  const older = run(on(0, 1), on(0, 2), accepted(1), report([false], { commandId: 'c1' }))
  expect(phases(older)).toEqual(['pending'])
  expect(phases([accepted(2), report([false], { commandId: 'c2' })].reduce(reduceCommands, older))).toEqual([
    'no-answer'
  ])
})

test('an ended command is not changed any more', () => {
  const ended = run(on(0), report([true]))
  const late: CommandEvent[] = [
    { type: 'refused', request: 1, code: 'DEVICE_OFFLINE', message: 'Offline.', nowMs: now },
    { type: 'accepted', request: 1, commandId: 'c1' },
    { type: 'tick', nowMs: now + 9000 },
    report([false], { commandId: 'c1' })
  ]
  for (const event of late) expect(reduceCommands(ended, event)).toBe(ended)
})

test('without an answer a command ends after 4000 ms, not before', () => {
  const sent = run(on(0))
  expect(nextDeadlineMs(sent)).toBe(now + 4000)
  expect(phases(reduceCommands(sent, { type: 'tick', nowMs: now + 3999 }))).toEqual(['pending'])
  const ended = reduceCommands(sent, { type: 'tick', nowMs: now + 4000 })
  expect(phases(ended)).toEqual(['no-answer'])
  expect(nextDeadlineMs(ended)).toBeNull()
})

test.each([
  [0, 1],
  [1, 0]
])('of several commands the oldest is the next that can end: that of outlet %i', (older, newer) => {
  const later = { ...on(newer, 2), nowMs: now + 500 } as CommandEvent
  expect(nextDeadlineMs(run(on(older), later))).toBe(now + 4000)
})

test('an end is reported in the step in which it comes, and in no other', () => {
  const both = run(on(0, 1), on(1, 2))
  const accepted = reduceCommands(both, { type: 'accepted', request: 1, commandId: 'c1' })
  expect(endingsBetween(both, accepted)).toEqual([])
  const first = reduceCommands(accepted, report([true, false]))
  expect(endingsBetween(accepted, first)).toMatchObject([{ request: 1, end: { phase: 'confirmed' } }])
  const second = reduceCommands(first, report([true, true]))
  expect(endingsBetween(first, second)).toMatchObject([{ request: 2, end: { phase: 'confirmed' } }])
})

test('a late report of the requested value takes "no response" back; one of another value does not', () => {
  const ended = run(on(0), { type: 'tick', nowMs: now + 4000 })
  expect(reduceCommands(ended, report([false, true]))).toBe(ended)
  const late = reduceCommands(ended, report([true, false]))
  expect(phases(late)).toEqual([])
  expect(endingsBetween(ended, late)).toEqual([])
})

test('a refusal ends its own request at once and no other', () => {
  const refused: CommandEvent = { type: 'refused', request: 2, code: 'DEVICE_OFFLINE', message: 'Offline.', nowMs: now }
  expect(phases(run(on(0, 1), on(1, 2), refused))).toEqual(['pending', 'refused'])
})

test('the refusal of a speed that a newer one has replaced does not belong to the newer one', () => {
  const speed = (request: number, value: number): CommandEvent => ({
    type: 'sent',
    mac,
    indexes: [2],
    kind: 'level',
    target: { level: value },
    request,
    nowMs: now
  })
  const refused: CommandEvent = { type: 'refused', request: 1, code: 'TOO_MANY_REQUESTS', message: '', nowMs: now }
  expect(phases(run(speed(1, 90), speed(2, 140), refused))).toEqual(['pending'])
  expect(phases(run(speed(1, 90), speed(2, 140), report([false, false, true], { speed: [0, 0, 90] })))).toEqual([
    'pending'
  ])
  expect(phases(run(speed(1, 90), speed(2, 140), report([false, false, true], { speed: [0, 0, 140] })))).toEqual([
    'confirmed'
  ])
})

test('all on is confirmed outlet by outlet and reported once, as failed if one outlet did not follow', () => {
  const all: CommandEvent = {
    type: 'sent',
    mac,
    indexes: [0, 1, 2],
    kind: 'all',
    target: { on: true },
    request: 7,
    nowMs: now
  }
  const half = run(all, report([true, false, true]))
  expect(phases(half)).toEqual(['confirmed', 'pending', 'confirmed'])
  const ended = reduceCommands(half, { type: 'tick', nowMs: now + 4000 })
  expect(endingsBetween(half, ended)).toMatchObject([{ mac, request: 7, end: { phase: 'no-answer' } }])
  expect(endingsBetween(run(all), reduceCommands(run(all), report([true, true, true])))).toMatchObject([
    { request: 7, end: { phase: 'confirmed' } }
  ])
  const accepted = run(all, { type: 'accepted', request: 7, commandId: 'c7' })
  const answered = reduceCommands(accepted, report([true, false, true], { commandId: 'c7' }))
  expect(endingsBetween(accepted, answered)).toMatchObject([{ request: 7, end: { phase: 'no-answer' } }])
})
