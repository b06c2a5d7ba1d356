import type { DeviceReport } from '@batti/contracts'
import { dayMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { happenedAt, isInLogAlone, logRow } from './report-row.ts'

const bootId = 'boot-0001'
const loggedAt = (report: { bootId: string; seq: number }, at: number, known = { seq: 7, stateAt: 1000 }): number =>
  logRow(
    aLiveDevice({ bootId, ...known }),
    { ...report, cause: 'button', switch: [true], speed: [0], changed: [0] },
    { index: 0, kind: 'switch', on: true },
    { cause: { by: 'button', from: 'board' }, before: [], happenedAt: at, tookMs: null }
  ).createdAt.getTime()

test('a report that was overtaken is in the log before those that overtook it, in the order of their numbers', () => {
  expect([loggedAt({ bootId, seq: 5 }, 1200), loggedAt({ bootId, seq: 6 }, 1200)]).toEqual([998, 999])
  expect(loggedAt({ bootId, seq: 6 }, 400)).toBe(400)
})

test('a report is dated at most a minute before the newest one, however far apart their numbers are', () => {
  const stateAt = 1_800_000_000_000
  const dated = [5e12, Number.MAX_SAFE_INTEGER].map((seq) => loggedAt({ bootId, seq: 2 }, stateAt, { seq, stateAt }))
  expect(dated).toEqual([stateAt - 60_000, stateAt - 60_000])
})

test('the newest report, and one of another boot, are at the time they happened', () => {
  expect([loggedAt({ bootId, seq: 7 }, 1200), loggedAt({ bootId: 'boot-0000', seq: 6 }, 1200)]).toEqual([1200, 1200])
})

test("a board's own time counts for thirty days, and never after the report has arrived", () => {
  const now = 100 * dayMs
  const at = (occurredAt: number) =>
    happenedAt({ bootId, seq: 1, cause: 'schedule', switch: [], speed: [], occurredAt }, { now, awayUntil: Infinity })
  expect([now - 30 * dayMs, now - 30 * dayMs + 1, now, now + 1].map(at)).toEqual([now, now - 30 * dayMs + 1, now, now])
})

test('a report says more than its rows and the next report if it is of a boot, or brings a fact', () => {
  const alone = (more: Partial<DeviceReport>) =>
    isInLogAlone({ bootId, seq: 1, cause: 'button', switch: [], speed: [], ...more })
  expect([{}, { rssi: -50 }, { changed: [0] }].map(alone)).toEqual([true, true, true])
  const facts = [{ osVersion: '1' }, { localIp: '10.0.0.7' }, { configRev: 1 }, { schedulesRev: 0 }]
  expect([...facts, { cause: 'boot' } as const].map(alone)).toEqual([false, false, false, false, false])
})
