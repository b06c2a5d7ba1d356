import type { DownTopic } from '@batti/contracts'
import type { SharedResources } from '../board/shared-resources.ts'
import type { Address } from '../device/device-state.ts'
import type { Faults } from '../board/faults.ts'
import type { Credentials } from '../board/flash-record.ts'
import type { History } from '../board/history.ts'
import { createLink, type Link, type LinkLoss } from './link.ts'

export type UplinkParts = SharedResources & {
  credentials: Credentials
  /** Returns the CAs to trust at the next connection. */
  caPem: () => string
  faults: Faults
  history: History
  /** Returns the present address, and the previous one while it is still the fallback. */
  addresses(): { now: Address; before: Address | null }
  /** Called before each attempt. Returns the last will. */
  connecting: () => object
  connected: (address: Address) => void
  received: (topic: DownTopic, payload: unknown) => void
  lost: (loss: LinkLoss) => void
  /** Called when the broker has refused the credential so often that the board should ask the server. */
  unwanted: () => void
}

/** After this many consecutive refusals the board asks the server whether it is still known. */
const refusalsBeforeAsking = 3
/** After this many failures at a new address the board tries the previous one, so that a wrong address cannot strand it. */
const failuresBeforeFallback = 3

/** Connects a board to its broker: combines the link with injected faults, the history, and the choice of the address. */
export function createUplink(parts: UplinkParts): Link {
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
