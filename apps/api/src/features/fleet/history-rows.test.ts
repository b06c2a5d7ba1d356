import { expect, it } from 'vitest'
import { commandRows, signalRows } from './history-rows.ts'

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 20, 6, minute))

it('a history contains each command once, newest first, with its result', () => {
  const by = (userName: string | null) => ({ kind: 'user', userName }) as never
  const rows = commandRows(
    [
      { sentAt: at(1), endedAt: at(2), state: 'timeout', cause: by('Sita') },
      { sentAt: at(3), endedAt: at(4), state: 'failed', cause: by(null) }
    ],
    // One command that switched two outlets.
    [at(2), at(2)].map((createdAt) => ({ commandId: 'c', createdAt, tookMs: 40, userName: '' }))
  )
  expect(rows).toEqual([
    { at: at(3).toISOString(), result: 'rejected', ms: 60_000, by: null },
    { at: at(2).toISOString(), result: 'confirmed', ms: 40, by: null },
    { at: at(1).toISOString(), result: 'expired', ms: null, by: 'Sita' }
  ])
})

it('a history contains the signal from the requested moment on, with the current ten minutes', () => {
  const rows = signalRows(
    [{ at: at(0), slots: { 0: -50, 1: -60, 2: -70 } }],
    { at: at(30).getTime(), value: -80 },
    at(15).getTime()
  )
  expect(rows).toEqual([
    { at: at(15).toISOString(), value: -60 },
    { at: at(20).toISOString(), value: -70 },
    { at: at(30).toISOString(), value: -80 }
  ])
})
