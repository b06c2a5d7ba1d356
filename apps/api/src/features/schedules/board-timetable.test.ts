import { mqttPacketMaxBytes, schedulesPayload, schedulesPerDevice, weekdays } from '@batti/contracts'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { boardTimetable } from './board-timetable.ts'

type Schedule = Parameters<typeof boardTimetable>[0][number]

const id = new Types.ObjectId('65a000000000000000000001')
const schedule = (fields: Partial<Schedule> = {}): Schedule => ({
  _id: id,
  switchIndex: 2,
  startTime: '18:00',
  endTime: '22:00',
  startAction: 'on',
  endAction: 'off',
  repeatType: 'daily',
  repeatDays: [],
  endDate: null,
  runDate: null,
  isActive: true,
  nextRunAt: new Date(0),
  ...fields
})
const entries = (fields: Partial<Schedule>) => boardTimetable([schedule(fields)], 7, 'Asia/Kathmandu').entries

test('a schedule becomes a start and an end, with the revision and the zone of the list', () => {
  expect(boardTimetable([schedule()], 7, 'Asia/Kathmandu')).toEqual({
    rev: 7,
    timezone: 'Asia/Kathmandu',
    entries: [
      { id: `${id.toHexString()}:start`, index: 2, on: true, time: '18:00', repeat: 'daily' },
      { id: `${id.toHexString()}:end`, index: 2, on: false, time: '22:00', repeat: 'daily' }
    ]
  })
})

test('the end of a night belongs to the day after: its date, its weekdays and its last day', () => {
  const night = { startTime: '22:00', endTime: '06:00' }
  expect(entries({ ...night, repeatType: 'once', runDate: '2026-12-31' }).map(({ date }) => date)).toEqual([
    '2026-12-31',
    '2027-01-01'
  ])
  expect(entries({ ...night, repeatType: 'weekly', repeatDays: ['Fri', 'Sat'] }).map(({ days }) => days)).toEqual([
    ['Fri', 'Sat'],
    ['Sat', 'Sun']
  ])
  expect(entries({ ...night, endDate: '2026-12-31' }).map(({ endDate }) => endDate)).toEqual([
    '2026-12-31',
    '2027-01-01'
  ])
})

test('an end on the same day keeps its day', () => {
  expect(entries({ repeatType: 'once', runDate: '2026-12-31' }).map(({ date }) => date)).toEqual([
    '2026-12-31',
    '2026-12-31'
  ])
  expect(entries({ repeatType: 'weekly', repeatDays: ['Fri'] }).map(({ days }) => days)).toEqual([['Fri'], ['Fri']])
})

test('what is set passive is not on the board', () => {
  expect(entries({ isActive: false })).toEqual([])
})

test('the longest list there can be is a message that a board takes, and what runs last is what is left out', () => {
  const many = Array.from({ length: schedulesPerDevice }, (_, index) =>
    schedule({
      _id: new Types.ObjectId(),
      switchIndex: 63,
      repeatType: 'weekly',
      repeatDays: [...weekdays],
      endDate: '2099-12-31',
      startAction: 'off',
      nextRunAt: new Date((schedulesPerDevice - index) * 1000)
    })
  )
  const payload = boardTimetable(many, 1_000_000, 'America/Argentina/ComodRivadavia')
  expect(JSON.stringify(payload).length).toBeLessThan(mqttPacketMaxBytes - 100)
  expect(schedulesPayload.safeParse(payload).success).toBe(true)
  expect(payload.entries.length).toBeGreaterThan(80)
  expect(payload.entries[0]?.id).toBe(`${String(many.at(-1)?._id)}:start`)
})
