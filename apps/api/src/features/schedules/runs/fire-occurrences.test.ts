import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
import { aLiveDevice } from '../../../testing/live-device.ts'
import { createFiring, type FiringOptions } from './fire-occurrences.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'
import type { OccurrenceResults } from './occurrence-results.ts'

const clock = createFakeClock(Date.parse('2026-11-20T12:15:00Z'))
const device = aLiveDevice({ isOnline: true, heardAt: clock.monotonic() })

/** An occurrence that was claimed just now, for this outlet of the board. */
const claimed = (switchIndex: number) =>
  ({
    _id: `schedule:start:${switchIndex}`,
    scheduleId: new Types.ObjectId(),
    deviceId: new Types.ObjectId(device.id),
    switchIndex,
    action: 'on',
    dueAt: new Date(clock.now()),
    leaseUntil: new Date(clock.now() + 9000)
  }) as OccurrenceDocument

async function fire(
  outlets: readonly number[],
  doubles: Pick<FiringOptions, 'send'> & {
    postpone: FiringOptions['occurrences']['postpone']
    missed?: OccurrenceResults['missed']
  }
): Promise<void> {
  const firing = createFiring({
    occurrences: { postpone: doubles.postpone },
    results: { end: () => undefined, missed: doubles.missed ?? (() => undefined), drain: () => Promise.resolve() },
    send: doubles.send,
    linkState: () => ({ upSince: 0 }),
    askBoard: () => Promise.reject(new Error('asked without need')),
    clock,
    log: pino({ level: 'silent' })
  })
  await firing.fire(outlets.map(claimed), new Map([[device.id, device]]), false)
}

test('a process that is suspended while it fires sends nothing more once its claim has ended', async () => {
  const sent: (number | undefined)[] = []
  const postponed: string[] = []
  await fire([0, 1, 2, 3], {
    postpone: async (rows) => void postponed.push(...rows.map(({ _id }) => _id)),
    send({ set: [first] }) {
      sent.push(first?.index)
      if (sent.length === 2) clock.advance(60_000)
      return { id: '1', expiresAt: 0, ended: new Promise(() => undefined) }
    }
  })
  expect(sent).toEqual([0, 1])
  expect(postponed).toEqual([])
})

test.each([
  ['the broker cannot be reached', new AppError('UNAVAILABLE', 'No broker.'), { waiting: 1, missed: [] }],
  ['the board has just gone offline', new AppError('DEVICE_OFFLINE', 'Offline.'), { waiting: 0, missed: ['offline'] }],
  ['of a fault in the code', new Error('fault'), { waiting: 1, missed: [] }]
])('one that cannot be sent because %s keeps no other from firing', async (_why, error, expected) => {
  const sent: unknown[] = []
  const waiting: unknown[] = []
  const missed: string[] = []
  await fire([0, 1], {
    postpone: async (rows) => void waiting.push(...rows),
    missed: (list) => void missed.push(...list.map(({ reason }) => reason)),
    send({ set: [first] }) {
      if (first?.index === 0) throw error
      sent.push(first?.index)
      return { id: '1', expiresAt: 0, ended: new Promise(() => undefined) }
    }
  })
  expect(sent).toEqual([1])
  expect({ waiting: waiting.length, missed }).toEqual(expected)
})
