import { runToEnd } from '@batti/kit/node/testing'
import { expect, test } from 'vitest'

/** Runs in a process of its own: the zone of a process is read when it starts. */
const inZone = (zone: string): unknown => {
  const script = `
    import { dayInstant, instantDay } from './own-day.ts'
    const instants = ['begin', 'end'].map((end) => dayInstant('2026-12-31', end))
    console.log(JSON.stringify({ instants, days: instants.map(instantDay), none: instantDay(null) }))`
  const options = { cwd: import.meta.dirname, env: { ...process.env, TZ: zone } }
  return JSON.parse(runToEnd(process.execPath, ['--input-type=module', '--eval', script], options).stdout)
}

test.each([
  ['UTC', '2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ['Asia/Kathmandu', '2026-12-30T18:15:00.000Z', '2026-12-31T18:14:59.999Z'],
  ['America/New_York', '2026-12-31T05:00:00.000Z', '2027-01-01T04:59:59.999Z']
])('a selected day is of the reader’s calendar, and is read back unchanged, in %s', (zone, begin, end) => {
  expect(inZone(zone)).toEqual({ instants: [begin, end], days: ['2026-12-31', '2026-12-31'], none: '' })
})
