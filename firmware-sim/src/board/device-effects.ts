import type { DeviceEffect, DeviceState } from '../device/device-state.ts'
import type { Updater } from '../firmware/firmware-update.ts'
import type { Memory } from './memory.ts'
import type { Network } from '../network/network.ts'
import type { PowerUpParts } from './power-up-parts.ts'

/** The parts of a board that effects act on. */
interface Edges {
  parts: PowerUpParts
  memory: Memory
  network: Network
  updater: Updater
}

/** Performs an effect of a step. `before` is the state of the device before that step. */
export function performEffect(effect: DeviceEffect, before: DeviceState, edges: Edges): void {
  const { parts, memory, network, updater } = edges
  switch (effect.kind) {
    case 'publish':
      return network.publish(effect.topic, effect.payload)
    case 'persist':
      return effect.urgent ? memory.keep({}) : memory.keepSoon()
    case 'reconnect':
      // While there is a fallback, the present address has never worked: it must not become the fallback itself.
      memory.keep({ mqttBefore: memory.record().mqttBefore ?? before.config.mqtt })
      return network.reconnect()
    case 'trust':
      return trust(effect.caPem, memory)
    case 'download':
      return updater.start(effect.update)
    case 'server-reached':
      return serverReached(edges)
    case 'ignored':
      return parts.history.add({
        at: parts.shared.clock.now(),
        kind: 'event',
        what: `ignored ${effect.topic}: ${effect.reason}`
      })
  }
}

function trust(caPem: string, memory: Memory): void {
  const { credentials } = memory.record()
  if (credentials !== null && credentials.caPem !== caPem) memory.keep({ credentials: { ...credentials, caPem } })
}

function serverReached({ parts, updater }: Edges): void {
  const { update } = parts.faults.settings()
  if (updater.prove() && (update === 'silent' || update === 'slower')) parts.spoil(update)
}
