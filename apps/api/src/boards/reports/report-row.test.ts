import { expect, test } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { logRow } from './report-row.ts'

const bootId = 'boot-0001'
const loggedAt = (report: { bootId: string; seq: number }, happenedAt: number): number =>
  logRow(
    aLiveDevice({ bootId, seq: 7, stateAt: 1000 }),
    { ...report, cause: 'button', switch: [true], speed: [0], changed: [0] },
    { index: 0, kind: 'switch', on: true },
    { cause: { by: 'button', from: 'board' }, before: [], happenedAt, tookMs: null }
  ).createdAt.getTime()

test('a report that was overtaken is in the log before those that overtook it, in the order of their numbers', () => {
  expect([loggedAt({ bootId, seq: 5 }, 1200), loggedAt({ bootId, seq: 6 }, 1200)]).toEqual([998, 999])
  expect(loggedAt({ bootId, seq: 6 }, 400)).toBe(400)
})

test('the newest report, and one of another boot, are at the time they happened', () => {
  expect([loggedAt({ bootId, seq: 7 }, 1200), loggedAt({ bootId: 'boot-0000', seq: 6 }, 1200)]).toEqual([1200, 1200])
})
