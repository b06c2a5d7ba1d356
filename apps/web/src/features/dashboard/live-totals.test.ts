import { expect, test } from 'vitest'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { deviceLive, switches } from '#web/test/fixtures.ts'
import { liveTotals } from './live-totals.ts'

const dashboard = {
  totalDevices: 2,
  onlineDevices: 1,
  totalSwitches: 5,
  favoriteSwitches: 0,
  totalRooms: 0,
  totalSchedules: 0,
  switchState: { on: 1, off: 4 },
  favoriteSwitchesDetails: []
}
const live = (changes: Partial<DeviceLive> = {}) => deviceLive({ outlets: switches(true, true), ...changes })

test('the boards’ own states count once all of them are loaded', () => {
  expect(liveTotals(dashboard, [live(), live({ outlets: switches(false, true, false) })])).toEqual({
    onlineDevices: 2,
    switchState: { on: 3, off: 2, unknown: 0 }
  })
})

test('until then the server’s numbers are shown', () => {
  expect(liveTotals(dashboard, [live(), undefined])).toEqual({
    onlineDevices: 1,
    switchState: { on: 1, off: 4, unknown: 0 }
  })
})

test('the state of an offline board is unknown', () => {
  expect(liveTotals(dashboard, [live(), live({ isOnline: false })])).toEqual({
    onlineDevices: 1,
    switchState: { on: 2, off: 0, unknown: 2 }
  })
})

test('a disconnected page does not say what is on', () => {
  expect(liveTotals(dashboard, [live(), live({ isFresh: false })]).switchState).toBeNull()
})
