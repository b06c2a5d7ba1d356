import type { LiveDevice } from '../registry/live-device.ts'

/** How often a board gets one revision in one boot: firmware that never confirms would get it each minute for ever. */
const sendingsABoot = 3

interface Sent {
  bootId: string
  rev: number
  times: number
}

/** Counts how often a board was sent what it has not confirmed. */
export function createSendings() {
  const sent = new Map<string, Sent>()
  return {
    /** Whether the board lacks that revision and may get it once more. `what`: the message that brings it. */
    mayAsk(device: Pick<LiveDevice, 'id' | 'bootId'>, what: string, rev: number, confirmedRev: number): boolean {
      if (confirmedRev >= rev) return false
      const key = `${device.id} ${what}`
      const known = sent.get(key)
      const isSame = known !== undefined && known.bootId === device.bootId && known.rev === rev
      const times = isSame ? known.times + 1 : 1
      if (times > sendingsABoot) return false
      sent.set(key, { bootId: device.bootId, rev, times })
      return true
    },
    /** It was sent that revision, perhaps for the first time; what `mayAsk` allowed is counted already. */
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
