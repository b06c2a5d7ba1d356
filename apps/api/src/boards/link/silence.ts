import { deviceSilenceMs } from '@batti/contracts'
import type { LiveDevice } from '../registry/live-device.ts'

/**
 * Who has spoken, the longest silent first: all wait equally long, so whoever speaks goes to the end, and a look at the
 * front finds everyone whose time is over. Times in milliseconds, monotonic: a clock that is set takes no board offline.
 */
export function createSilenceWatch() {
  const heard = new Set<LiveDevice>()

  return {
    heard(device: LiveDevice): void {
      heard.delete(device)
      heard.add(device)
    },
    has: (device: LiveDevice): boolean => heard.has(device),
    forget: (device: LiveDevice): void => void heard.delete(device),
    clear: (): void => heard.clear(),
    /**
     * Takes out those who have said nothing for 150 s. Time in which nobody could be heard does not count: `linkUpSince`
     * is when the link to the broker was last established.
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
