import { minuteMs } from '@batti/kit/durations'
import type { DeviceLive } from './device-live.ts'
import { isInstalling, type DeviceUpdate } from './device-update.ts'

/** A board that cannot reach the server with a new version is back with the earlier one by then. */
const restartMs = 5 * minuteMs

/** Returns whether a board is offline because it restarts for an update, and not for too long yet. */
export const isRestarting = (
  update: Pick<DeviceUpdate, 'phase'> | null,
  { isOnline, onlineChangedAt }: Pick<DeviceLive, 'isOnline' | 'onlineChangedAt'>,
  now: number
): boolean => isInstalling(update) && !isOnline && onlineChangedAt !== null && now - onlineChangedAt < restartMs
