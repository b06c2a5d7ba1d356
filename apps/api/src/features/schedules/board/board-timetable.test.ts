import { downTopic, mqttPacketMaxBytes, schedulesPayload, schedulesPerDevice, weekdays } from '@batti/contracts'
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

test('the end of a night schedule is on the day after: its date, its weekdays and its last day', () => {
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

test('an end on the same day has that day', () => {
  expect(entries({ repeatType: 'once', runDate: '2026-12-31' }).map(({ date }) => date)).toEqual([
    '2026-12-31',
    '2026-12-31'
  ])
  expect(entries({ repeatType: 'weekly', repeatDays: ['Fri'] }).map(({ days }) => days)).toEqual([['Fri'], ['Fri']])
})

test('an inactive schedule is not on the board', () => {
  expect(entries({ isActive: false })).toEqual([])
})

test('all seven weekdays mean every day', () => {
  const daily = entries({ repeatDays: [], endDate: '2026-12-31' })
  expect(entries({ repeatType: 'weekly', repeatDays: [...weekdays], endDate: '2026-12-31' })).toEqual(daily)
})

const longest = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    schedule({
      _id: new Types.ObjectId(),
      switchIndex: 63,
      repeatType: 'weekly',
      repeatDays: weekdays.slice(1),
      endDate: '2099-12-31',
      startAction: 'off',
      nextRunAt: new Date((count - index) * 1000)
    })
  )
const longestZone = 'America/Argentina/ComodRivadavia'

test('the longest list of a board is one complete message', () => {
  const payload = boardTimetable(longest(schedulesPerDevice), 1_000_000, longestZone)
  const topic = downTopic(id.toHexString(), 'schedules')
  expect(JSON.stringify(payload).length + topic.length + 5).toBeLessThanOrEqual(mqttPacketMaxBytes)
  expect(schedulesPayload.safeParse(payload).success).toBe(true)
  expect(payload.entries).toHaveLength(schedulesPerDevice * 2)
})

test('from a longer list the schedules that run last are left out', () => {
  const many = longest(schedulesPerDevice + 5)
  const { entries: kept } = boardTimetable(many, 1_000_000, longestZone)
  expect(kept.length).toBeLessThan(many.length * 2)
  expect(kept[0]?.id).toBe(`${String(many.at(-1)?._id)}:start`)
})

test('the list of a board fills one message and never more, whatever the lengths of its parts', () => {
  const many = longest(schedulesPerDevice + 5)
  const topicAndHeader = downTopic(id.toHexString(), 'schedules').length + 5
  const lengths = Array.from({ length: 400 }, (_, index) => {
    const payload = boardTimetable(many, 1, 'x'.repeat(index + 1))
    return JSON.stringify(payload).length + topicAndHeader
  })
  expect(Math.max(...lengths)).toBeLessThanOrEqual(mqttPacketMaxBytes)
  expect(Math.max(...lengths)).toBeGreaterThan(mqttPacketMaxBytes - 32)
})
