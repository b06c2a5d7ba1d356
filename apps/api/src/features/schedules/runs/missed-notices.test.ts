import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { aLiveDevice } from '../../../testing/live-device.ts'
import type { LiveDevice } from '../../../boards/registry/live-device.ts'
import type { MissedReason } from './judge-firing.ts'
import { missedLogId, missedLogOf, noticesFor, type Missed } from './missed-notices.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'

const outlet = aLiveDevice().outlets[0]
const board = (fields: Partial<LiveDevice> = {}): LiveDevice =>
  aLiveDevice({
    setName: 'Living room wall',
    outlets: [{ ...outlet, name: 'Kitchen lamp', switchId: '65c000000000000000000007' }] as LiveDevice['outlets'],
    ...fields
  })
function missed(reason: MissedReason, device = board(), row: Partial<OccurrenceDocument> = {}): Missed {
  const of = { _id: 'schedule:start:2026-11-20', scheduleId: new Types.ObjectId('65d000000000000000000001') }
  const due = { switchIndex: 0, action: 'on', time: '18:00', dueAt: new Date('2026-11-20T12:15:00Z') }
  return { row: { ...of, ...due, ...row } as OccurrenceDocument, device, reason }
}

test.each<[MissedReason, string]>([
  ['offline', 'was offline'],
  ['no-response', 'did not respond'],
  ['refused', 'refused'],
  ['server-down', 'could not be reached, because the server was down']
])('the owner is told that it was missed because it %s', (reason, because) => {
  const userId = String(board().userId)
  expect(noticesFor([missed(reason)])).toEqual([
    { userId, text: `Kitchen lamp was not turned ON at 18:00: Living room wall ${because}.` }
  ])
})

test('each owner is told of all that were missed at once in one sentence', () => {
  const others = board({ userId: '65b000000000000000000099' })
  const off = missed('offline', others, { action: 'off', switchIndex: 3, time: '22:00' })
  const texts = (list: readonly Missed[]) => noticesFor(list).map(({ text }) => text)
  const mine = missed('offline')
  const kitchen = 'Kitchen lamp was not turned ON at 18:00: Living room wall was offline'
  const fourth = 'Switch 4 was not turned OFF at 22:00: Living room wall was offline'
  expect(texts([mine, off])).toEqual([`${kitchen}.`, `${fourth}.`])
  expect(texts([mine, mine])).toEqual([`${kitchen}, and 1 more schedule was missed.`])
  expect(texts([mine, off, mine, mine])).toEqual([`${kitchen}, and 2 more schedules were missed.`, `${fourth}.`])
})

test('nobody is told of a board without an owner; its log row names nobody', () => {
  const nobodys = missed('offline', board({ userId: null }))
  expect(noticesFor([nobodys])).toEqual([])
  expect(missedLogOf(nobodys).userId).toBeNull()
})

test('a missed occurrence has one row in the log, at the time when it was due', () => {
  const device = board()
  expect(missedLogOf(missed('offline', device))).toEqual({
    id: missedLogId('schedule:start:2026-11-20'),
    userId: device.userId,
    description: 'Kitchen lamp was not turned ON at 18:00: Living room wall was offline',
    deviceId: device.id,
    deviceMac: device.mac,
    switchId: '65c000000000000000000007',
    switchIndex: 0,
    switchName: 'Kitchen lamp',
    scheduleId: '65d000000000000000000001',
    occurrence: 'schedule:start:2026-11-20',
    at: new Date('2026-11-20T12:15:00Z')
  })
  const gone = missedLogOf(missed('offline', device, { switchIndex: 3 }))
  expect([gone.switchId, gone.switchName]).toEqual([null, 'Switch 4'])
  const withoutRecord = board({ outlets: [{ ...outlet, switchId: '' }] as LiveDevice['outlets'] })
  expect(missedLogOf(missed('offline', withoutRecord)).switchId).toBeNull()
})

test('the id of a row follows from its occurrence, and is an id of the database', () => {
  expect(missedLogId('a')).toMatch(/^[0-9a-f]{24}$/)
  expect(missedLogId('a')).toBe(missedLogId('a'))
  expect(missedLogId('a')).not.toBe(missedLogId('b'))
})
