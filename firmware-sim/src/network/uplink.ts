import type { DownTopic, UpTopic } from '@batti/contracts'
import type { BoardHouse } from '../board/board-house.ts'
import type { Address } from '../device/device-state.ts'
import type { Faults } from '../board/faults.ts'
import type { Credentials } from '../board/flash-record.ts'
import type { History } from '../board/history.ts'
import { createLink, type LinkLoss } from './link.ts'

export type UplinkParts = BoardHouse & {
  credentials: Credentials
  /** What to trust at the next connection. */
  caPem: () => string
  faults: Faults
  history: History
  /** The address in force, and the one before it where that is still the way back. */
  addresses(): { now: Address; before: Address | null }
  /** An attempt begins. Answers the last will to leave with the broker. */
  connecting: () => object
  connected: (address: Address) => void
  received: (topic: DownTopic, payload: unknown) => void
  lost: (loss: LinkLoss) => void
  /** The broker has refused the credential so often that the server should be asked. */
  unwanted: () => void
}

export type Uplink = {
  publish(topic: UpTopic, payload: object): void
  reconnect(): void
  close(last: object): Promise<void>
  cut(): void
}

/** So many refused connections in a row, and the board asks the server who it is. */
const refusalsBeforeAsking = 3
/** So many failures at a new address, and the one before gets a turn: a wrong address is not for ever. */
const failuresBeforeFallback = 3

/** A board's way to its server: the link, the faults on it, its history, and which address to try. */
export function createUplink(parts: UplinkParts): Uplink {
  const { faults, history, clock } = parts
  let failures = 0
  let refusals = 0
  let gone = false
  let dialled: Address = parts.addresses().now

  const link = createLink({
    ...parts,
    attempt() {
      const { now, before } = parts.addresses()
      dialled = before !== null && Math.floor(failures / failuresBeforeFallback) % 2 === 1 ? before : now
      return { address: dialled, will: parts.connecting() }
    },
    connected() {
      failures = refusals = 0
      parts.connected(dialled)
    },
    received(topic, payload) {
      const at = clock.now()
      const note = (dropped?: string): void =>
        history.add({ at, kind: 'received', topic, payload, ...(dropped === undefined ? {} : { dropped }) })
      const deliver = (): void => {
        if (gone) return
        note()
        parts.received(topic, payload)
      }
      faults.inbound(topic === 'ack', deliver, note)
    },
    lost(loss) {
      failures += 1
      refusals = loss.refused ? refusals + 1 : 0
      parts.lost(loss)
      if (refusals < refusalsBeforeAsking) return
      refusals = 0
      parts.unwanted()
    }
  })

  return {
    publish(topic, payload) {
      const note = (dropped?: string): void =>
        history.add({ at: clock.now(), kind: 'sent', topic, payload, ...(dropped === undefined ? {} : { dropped }) })
      const deliver = (): void => {
        if (gone) return
        note()
        link.publish(topic, payload)
      }
      faults.outbound(topic === 'update-from-device', deliver, note)
    },
    reconnect() {
      failures = 0
      link.reconnect()
    },
    close(last) {
      gone = true
      return link.close(last)
    },
    cut() {
      gone = true
      link.cut()
    }
  }
}
