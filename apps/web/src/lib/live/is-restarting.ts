import { minuteMs } from '@batti/kit/durations'
import type { DeviceLive } from './device-live.ts'
import { isUnderWay, type DeviceUpdate } from './device-update.ts'

/** A board that cannot reach the server with a new version is back with the earlier one by then. */
const restartMs = 5 * minuteMs

type Progress = Pick<DeviceUpdate, 'phase' | 'percent'>
type Presence = Pick<DeviceLive, 'isOnline' | 'onlineChangedAt'>

/** Whether the board has the whole image, so that it may restart at any time: what it tells last may be lost. */
const isDownloaded = ({ phase, percent }: Progress): boolean =>
  phase === 'download' ? percent >= 100 : phase === 'verify' || phase === 'install' || phase === 'reboot'

/** Returns whether a board is offline because it restarts for an update, and not for too long yet. */
export const isRestarting = (update: Progress | null, { isOnline, onlineChangedAt }: Presence, now: number): boolean =>
  update !== null && isDownloaded(update) && !isOnline && onlineChangedAt !== null && now - onlineChangedAt < restartMs

/** Returns the update as screens name it: that of an offline board does not go on where it was last heard of. */
export function shownUpdate<Update extends Progress>(
  update: Update,
  live: Presence & Pick<DeviceLive, 'isFresh'>,
  now: number
): Update {
  if (live.isOnline || !live.isFresh || !isUnderWay(update)) return update
  return { ...update, phase: isRestarting(update, live, now) ? 'reboot' : 'waiting' }
}
