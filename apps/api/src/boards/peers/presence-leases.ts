import { deviceSilenceMs } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import type { Logger } from 'pino'
import type { Leases } from '../../platform/cluster/cluster.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { PeerPublisher } from './peer-publisher.ts'

const keepEveryMs = 2000
const lookEveryMs = 5000

/**
 * Tracks presence where each message reaches only one instance: the instance that hears a board renews its lease, and the
 * one that finds an expired lease takes the board offline.
 */
export function createPresenceLeases(deps: {
  clock: Clock
  leases: Leases
  registry: Pick<DeviceRegistry, 'findMany' | 'all'>
  peers: Pick<PeerPublisher, 'isSplit'>
  log: Logger
  onSilent(device: LiveDevice): void
}) {
  const { clock, leases, registry, peers } = deps
  const heard = new Set<string>()
  let [keptAt, lookedAt] = [0, 0]
  const failed = (error: unknown): void => deps.log.debug({ err: error }, 'leases of boards are not kept')

  async function look(): Promise<void> {
    for (;;) {
      const ids = await leases.takeExpired()
      if (ids.length === 0) return
      const found = await registry.findMany(ids).catch(async (error: unknown) => {
        // Otherwise nobody would look for them again, and they would stay online.
        await leases.keep(await leases.missing(ids), 0)
        throw error
      })
      for (const device of found.values()) if (device.isOnline) deps.onSilent(device)
    }
  }

  return {
    heard(device: LiveDevice): void {
      if (peers.isSplit()) heard.add(device.id)
    },
    drop(device: LiveDevice): void {
      heard.delete(device.id)
      if (peers.isSplit()) leases.drop(device.id).catch(failed)
    },
    /** Renews all leases, because a Redis that was down may have lost them. */
    keepAll(): void {
      for (const device of registry.all())
        if (device.isOnline && device.heardAt > clock.monotonic() - deviceSilenceMs) heard.add(device.id)
    },
    /** `maySilence`: boards could be heard for long enough that silence means absence. */
    sweep(maySilence: boolean): void {
      const now = clock.monotonic()
      if (now - keptAt >= keepEveryMs && heard.size > 0) {
        keptAt = now
        const ids = [...heard]
        heard.clear()
        leases.keep(ids, deviceSilenceMs).catch(failed)
      }
      if (!maySilence || now - lookedAt < lookEveryMs) return
      lookedAt = now
      look().catch(failed)
    }
  }
}
