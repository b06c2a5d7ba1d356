import { deviceSilenceMs } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import type { Logger } from 'pino'
import type { Leases } from '../../platform/cluster/cluster.ts'
import type { PeerPublisher } from '../peers/peer-publisher.ts'
import { createPresenceLeases } from '../peers/presence-leases.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { createSilenceWatch } from './silence.ts'

/** Finds boards that are online but have been silent for too long: in memory, among the leases, and once in the database. */
export function createSilentBoards(deps: {
  clock: Clock
  registry: Pick<DeviceRegistry, 'known' | 'findMany' | 'idsOnline' | 'all'>
  log: Logger
  peers: Pick<PeerPublisher, 'isSplit'>
  /** Deadlines shared by all instances, used while each board is heard by only one of them. */
  leases: Leases
  onSilent(device: LiveDevice): void
}) {
  const { clock, registry, log, peers, leases, onSilent } = deps
  const watch = createSilenceWatch()
  const leased = createPresenceLeases(deps)
  /** The `hearingSince` for which the boards stored as online were last checked; each value is checked once. */
  let lookedSince: number | null = null

  /** Finds boards that are stored as online but have not been heard since then. */
  async function endUnheard(since: number): Promise<void> {
    for await (const ids of registry.idsOnline()) {
      const unheard = peers.isSplit()
        ? await leases.missing(ids)
        : ids.filter((id) => (registry.known(id)?.heardAt ?? 0) < since)
      for (const device of (await registry.findMany(unheard)).values())
        if (device.isOnline && device.heardAt < since) onSilent(device)
    }
  }

  return {
    heard(device: LiveDevice): void {
      watch.heard(device)
      leased.heard(device)
    },
    heardElsewhere: watch.heard,
    wentOffline: leased.drop,
    forget: watch.forget,
    /** Call when this instance starts to hear all boards, or to hear of them: renews the leases of boards heard until then. */
    turned: leased.keepAll,
    /** `hearingSince` is when boards could first be heard; null while they cannot. */
    sweep(hearingSince: number | null): void {
      if (hearingSince === null) return
      const now = clock.monotonic()
      const isSettled = now - hearingSince > deviceSilenceMs
      if (peers.isSplit()) leased.sweep(isSettled)
      else for (const device of watch.due(now, hearingSince)) onSilent(device)
      if (lookedSince === hearingSince || !isSettled) return
      lookedSince = hearingSince
      endUnheard(hearingSince).catch((error: unknown) => {
        lookedSince = null
        log.warn({ err: error }, 'silent boards could not be searched for')
      })
    }
  }
}
