import { deviceSilenceMs } from '@batti/contracts'
import type { LiveDevice } from '../registry/live-device.ts'

/**
 * Boards in order of their last message, the longest silent first. The timeout is the same for all, so a board that
 * speaks moves to the end and all overdue boards are at the front. Times are monotonic milliseconds: a clock change takes
 * no board offline.
 */
export function createSilenceWatch() {
  const heard = new Set<LiveDevice>()

  return {
    heard(device: LiveDevice): void {
      heard.delete(device)
      heard.add(device)
    },
    forget: (device: LiveDevice): void => void heard.delete(device),
    /**
     * Removes boards that have been silent for 150 s, and yields those that were online. Time without a link does not
     * count: `linkUpSince` is when the link to the broker was last established.
     */
    *due(now: number, linkUpSince: number): Generator<LiveDevice> {
      for (const device of heard) {
        if (now - Math.max(device.heardAt, linkUpSince) <= deviceSilenceMs) return
        heard.delete(device)
        if (device.isOnline) yield device
      }
    }
  }
}
