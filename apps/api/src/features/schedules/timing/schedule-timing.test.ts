import { expect, test } from 'vitest'
import { planOrRefuse } from './plan-schedule.ts'
import { checkedTiming } from './schedule-timing.ts'

const zone = 'Asia/Kathmandu'
const night = { startTime: '22:00', endTime: '06:00' } as const
const now = Date.parse('2026-11-20T12:00:00Z')

test.each([
  ['2026-11-24T18:14:59Z', '2026-11-24'],
  ['2026-11-24T18:15:00Z', '2026-11-25'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31'],
  ['9999-12-31', '9999-12-31']
])('an end date sent as %s is %s', (endDate, date) => {
  const timing = checkedTiming({ ...night, repeatType: 'daily', endDate }, zone)
  expect(timing.endDate).toBe(date)
  const { next } = planOrRefuse(timing, { now, zone, startedRun: null })
  expect(next).toMatchObject({ phase: 'start', date: '2026-11-20' })
})

test('a single run may start in the last night of all', () => {
  const timing = checkedTiming({ ...night, repeatType: 'once', endDate: '9999-12-31' }, zone)
  expect(planOrRefuse(timing, { now, zone, startedRun: null })).toMatchObject({ runDate: '9999-12-31' })
})
