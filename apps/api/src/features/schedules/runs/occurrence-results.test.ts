import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createEventBus } from '../../../platform/events.ts'
import { aLiveDevice } from '../../../testing/live-device.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'
import { missedLogId } from './missed-notices.ts'
import { createOccurrenceResults } from './occurrence-results.ts'

const log = pino({ level: 'silent' })
const now = Date.parse('2026-11-20T12:15:04Z')
const row = (_id: string) =>
  ({
    _id,
    scheduleId: new Types.ObjectId(),
    switchIndex: 0,
    action: 'on',
    time: '18:00',
    dueAt: new Date('2026-11-20T12:15:00Z'),
    claimedBy: 'one'
  }) as OccurrenceDocument
const missed = (_id: string) => ({ row: row(_id), device: aLiveDevice(), reason: 'offline' as const })

/** Records in order what is stored and who is told. `confirmed`: the occurrences that boards report as run meanwhile. */
function setUp(confirmed: readonly string[] = []) {
  const did: unknown[] = []
  /** As a database does it: some turns of the event loop after it was asked to. */
  const store = async (turns: number, what: object) => {
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    did.push(what)
  }
  const events = createEventBus(log)
  events.on('user-notified', ({ text }) => void did.push({ told: text }))
  const results = createOccurrenceResults({
    occurrences: {
      end: (ends) => store(1, { ended: ends }),
      findMissed: async (ids) => new Set(ids.filter((id) => !confirmed.includes(id)))
    },
    addMissedLogs: (rows) => store(2, { logged: rows.map(({ occurrence }) => occurrence) }),
    removeLogs: (ids) => store(1, { removed: ids }),
    clock: createFakeClock(now),
    events,
    log
  })
  return { did, results }
}
const end = (id: string, state: string, reason: string | null) => ({
  id,
  state,
  reason,
  endedAt: new Date(now),
  claimedBy: 'one'
})

test('a result is stored with its time and its instance, and nobody is told', async () => {
  const { did, results } = setUp()
  results.end(row('a'), 'late', null)
  await results.drain()
  expect(did).toEqual([{ logged: [] }, { ended: [end('a', 'late', null)] }])
})

test('a missed occurrence is logged, then ended, and then its owner is told', async () => {
  const { did, results } = setUp()
  results.missed([missed('a'), missed('b')])
  await results.drain()
  expect(did).toEqual([
    { logged: ['a', 'b'] },
    { ended: [end('a', 'missed', 'offline'), end('b', 'missed', 'offline')] },
    { removed: [] },
    { told: expect.stringContaining('and 1 more schedule was missed.') }
  ])
})

test('one that its board has run meanwhile is in the log no longer, and nobody is told of it', async () => {
  const { did, results } = setUp(['b'])
  results.missed([missed('a'), missed('b')])
  await results.drain()
  expect(did.slice(2)).toEqual([
    { removed: [missedLogId('b')] },
    { told: expect.stringMatching(/^Switch 1 was not turned ON at 18:00: Living room wall was offline\.$/) }
  ])
})
