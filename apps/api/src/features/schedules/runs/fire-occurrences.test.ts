import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aLiveDevice } from '../../../testing/live-device.ts'
import { createFiring, type FiringOptions } from './fire-occurrences.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'

test('a process that is suspended while it fires sends nothing more once its claim has ended', async () => {
  const clock = createFakeClock(Date.parse('2026-11-20T12:15:00Z'))
  const device = aLiveDevice({ isOnline: true, heardAt: clock.monotonic() })
  const row = (switchIndex: number) =>
    ({
      _id: `schedule:start:${switchIndex}`,
      scheduleId: new Types.ObjectId(),
      deviceId: new Types.ObjectId(device.id),
      switchIndex,
      action: 'on',
      dueAt: new Date(clock.now()),
      leaseUntil: new Date(clock.now() + 9000)
    }) as OccurrenceDocument
  const sent: (number | undefined)[] = []
  const postponed: string[] = []
  const { fire } = createFiring({
    occurrences: { postpone: async (ids) => void postponed.push(...ids) },
    results: { end: () => undefined, missed: () => undefined, drain: () => Promise.resolve() },
    send({ set: [first] }) {
      sent.push(first?.index)
      if (sent.length === 2) clock.advance(60_000)
      return { id: '1', expiresAt: 0, ended: new Promise(() => undefined) }
    },
    linkState: () => ({ upSince: 0 }),
    clock,
    log: pino({ level: 'silent' })
  } satisfies FiringOptions)
  await fire([row(0), row(1), row(2), row(3)], new Map([[device.id, device]]), false)
  expect(sent).toEqual([0, 1])
  expect(postponed).toEqual([])
})
