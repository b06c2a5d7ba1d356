import type {
  FirmwareProgressEvent,
  FleetChangedEvent,
  FleetRecord,
  RolloutProgressEvent,
  RolloutRecord
} from '@batti/contracts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { deviceUpdateKey, isUnderWay } from '#web/lib/live/device-update.ts'
import { listKeyOf, queryKeys } from '#web/lib/query-keys.ts'
import { patchBoardLists, recordsOf } from './patch-board-lists.ts'
import { patchCached } from './patch-cached.ts'

// Handlers of rare events. They are loaded with the first such event, so that the first page does not carry them.

type Refresh = (keys: readonly QueryKey[]) => void

/**
 * Stores a board's firmware progress. When the update is done, every list gets the new version at once. However it ends, the
 * board's open page is asked for again: its health and its events have changed.
 */
export function firmwareProgress(queryClient: QueryClient, event: FirmwareProgressEvent, refresh: Refresh): void {
  const { deviceMac, ...update } = event
  queryClient.setQueryData(deviceUpdateKey(deviceMac), update)
  if (!isUnderWay(update)) refresh(recordsOf(queryClient, deviceMac))
  if (update.phase === 'done' && update.version !== undefined)
    patchBoardLists(queryClient, { deviceMac, update: { osVersion: update.version }, at: 0 })
}

const healthCounts = ['silent', 'flapping', 'failing'] as const

/**
 * Stores changed board counts in the fleet record and in the totals of the dashboard and its menu. The event does not
 * count boards never seen: if the sums disagree, boards were added, deleted or seen for the first time, and the records
 * and lists are fetched again.
 */
export function fleetChanged(queryClient: QueryClient, event: FleetChangedEvent, refresh: Refresh): void {
  const seen = event.online + event.offline
  const fleet = queryClient.getQueryData<FleetRecord>(queryKeys.fleet)
  patchCached<FleetRecord>(queryClient, { queryKey: queryKeys.fleet, exact: true }, (before) => ({
    ...before,
    ...event,
    boards: seen + before.neverSeen
  }))
  patchCached<object>(queryClient, { queryKey: [...queryKeys.dashboard, 'staff'], exact: true }, (totals) =>
    'onlineDevices' in totals ? { ...totals, onlineDevices: event.online } : totals
  )
  if (fleet === undefined) return
  // Which boards are unwell is in the lists alone: without them a page would count twelve and name none.
  if (healthCounts.some((name) => fleet[name] !== event[name]))
    refresh([[...queryKeys.fleet, 'attention'], queryKeys.devices])
  if (fleet.boards !== seen + fleet.neverSeen) refresh([queryKeys.fleet, queryKeys.dashboard, queryKeys.devices])
}

interface TargetRow {
  deviceId: string
  phase: string
}
interface Page<Row> {
  rows: readonly Row[]
}

/** Stores a rollout's progress: on its own page, in the list of rollouts, and in the rows of its boards. */
export function rolloutProgress(queryClient: QueryClient, { id, counts, target }: RolloutProgressEvent): void {
  const patch = (rollout: RolloutRecord) => (rollout._id === id ? { ...rollout, counts } : rollout)
  patchCached<RolloutRecord>(queryClient, { queryKey: [...queryKeys.rollouts, 'one', id], exact: true }, patch)
  patchCached<Page<RolloutRecord>>(queryClient, { queryKey: listKeyOf(queryKeys.rollouts) }, (page) => ({
    ...page,
    rows: page.rows.map(patch)
  }))
  if (target === undefined) return
  const { changedAt, ...changes } = target
  const at = new Date(changedAt).toISOString()
  patchCached<Page<TargetRow>>(
    queryClient,
    { queryKey: listKeyOf([...queryKeys.rollouts, 'targets', id]) },
    (page) => ({
      ...page,
      rows: page.rows.map((row) => (row.deviceId === target.deviceId ? { ...row, ...changes, changedAt: at } : row))
    })
  )
}
