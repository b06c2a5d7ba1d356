import type { FleetRecord, HealthReason } from '@batti/contracts'

export type FleetCounts = Record<'' | 'online' | 'offline' | HealthReason, number>

/** Returns the number of boards for each filter of the board list; '' counts all. */
export const fleetCounts = (fleet: FleetRecord): FleetCounts => ({
  '': fleet.boards,
  online: fleet.online,
  // As in the list: a board that was never seen counts as offline.
  offline: fleet.boards - fleet.online,
  weak: fleet.weakSignal,
  flapping: fleet.flapping,
  silent: fleet.silent,
  failing: fleet.failing,
  outdated: fleet.outdated,
  'never-seen': fleet.neverSeen
})
