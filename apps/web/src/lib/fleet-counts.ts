import type { FleetRecord, HealthReason } from '@batti/contracts'

export type FleetCounts = Record<'' | 'online' | 'offline' | HealthReason, number>

/** How many boards are so, by what the list of boards is narrowed to: '' is all of them. */
export const fleetCounts = (fleet: FleetRecord): FleetCounts => ({
  '': fleet.boards,
  online: fleet.online,
  // As the list means it: a board that was never seen is not online.
  offline: fleet.boards - fleet.online,
  weak: fleet.weakSignal,
  flapping: fleet.flapping,
  silent: fleet.silent,
  failing: fleet.failing,
  outdated: fleet.outdated,
  'never-seen': fleet.neverSeen
})
