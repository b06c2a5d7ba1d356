import { minuteMs } from '@batti/kit/durations'
import type { DeviceLive } from './device-live.ts'
import { isUnderWay, type DeviceUpdate } from './device-update.ts'

/** A board that cannot reach the server with a new version is back with the earlier one by then. */
const restartMs = 5 * minuteMs

type Phased = Pick<DeviceUpdate, 'phase'>
type Presence = Pick<DeviceLive, 'isOnline' | 'onlineChangedAt'>

/**
 * Returns whether a board is offline because it restarts for an update, and not for too long yet. An earlier phase counts too:
 * what the board told last may be lost.
 */
export const isRestarting = (update: Phased | null, { isOnline, onlineChangedAt }: Presence, now: number): boolean =>
  update !== null &&
  isUnderWay(update) &&
  update.phase !== 'proving' &&
  !isOnline &&
  onlineChangedAt !== null &&
  now - onlineChangedAt < restartMs

/** Returns the update as screens name it: that of an offline board does not go on where it was last heard of. */
export function shownUpdate<Update extends Phased>(
  update: Update,
  live: Presence & Pick<DeviceLive, 'isFresh'>,
  now: number
): Update {
  if (live.isOnline || !live.isFresh || !isUnderWay(update)) return update
  return { ...update, phase: isRestarting(update, live, now) ? 'reboot' : 'waiting' }
}
