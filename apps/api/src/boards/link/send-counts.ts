import type { LiveDevice } from '../registry/live-device.ts'

/** Bounds how often a board is sent one revision per boot: firmware that never confirms would get it every minute. */
const sendsPerBoot = 3

interface Sent {
  bootId: string
  rev: number
  times: number
}

/** Counts how often a board was sent a revision that it has not confirmed. */
export function createSendCounts() {
  const sent = new Map<string, Sent>()
  return {
    /** Returns whether the board lacks that revision and may be sent it once more. `what` is the message that carries it. */
    maySend(device: Pick<LiveDevice, 'id' | 'bootId'>, what: string, rev: number, confirmedRev: number): boolean {
      if (confirmedRev >= rev) return false
      const key = `${device.id} ${what}`
      const known = sent.get(key)
      const isSame = known !== undefined && known.bootId === device.bootId && known.rev === rev
      const times = isSame ? known.times + 1 : 1
      if (times > sendsPerBoot) return false
      sent.set(key, { bootId: device.bootId, rev, times })
      return true
    },
    /** Notes that a revision was sent. One that `maySend` allowed is already counted. */
    wasSent({ id, bootId }: Pick<LiveDevice, 'id' | 'bootId'>, what: string, rev: number): void {
      const key = `${id} ${what}`
      const known = sent.get(key)
      if (known?.bootId !== bootId || known.rev !== rev) sent.set(key, { bootId, rev, times: 1 })
    },
    forget(deviceId: string): void {
      for (const key of sent.keys()) if (key.startsWith(`${deviceId} `)) sent.delete(key)
    }
  }
}
