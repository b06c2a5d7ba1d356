import { expect, test } from 'vitest'
import { aLiveDevice } from '../testing/live-device.ts'
import { switchUpdateOf } from './device-events.ts'

test('a report that is told after its board has gone does not show the board online', () => {
  const notice = { changed: [], cause: { by: 'button', from: 'board' } as const, commandId: undefined, at: 1 }
  const isOnlineOf = (isOnline: boolean) => switchUpdateOf({ ...aLiveDevice(), isOnline }, notice).isOnline
  expect([true, false].map(isOnlineOf)).toEqual([true, false])
})
