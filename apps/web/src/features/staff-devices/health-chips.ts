import { listDevices, type DeviceFilter, type FleetRecord, type HealthReason } from '@batti/contracts'
import { useQueries } from '@tanstack/react-query'
import type { MessageId } from '#web/i18n/message-id.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import { useFleet } from '#web/lib/use-fleet.ts'

/** What ails boards while they are there, then what ails those that are not. */
const order = [
  'weak',
  'flapping',
  'silent',
  'failing',
  'outdated',
  'never-seen'
] as const satisfies readonly HealthReason[]

export interface Chip {
  filter: 'status' | 'health'
  value: string
  label: MessageId
}
export const deviceChips: readonly Chip[] = [
  { filter: 'status', value: '', label: 'table.all' },
  { filter: 'status', value: 'online', label: 'devices.online' },
  { filter: 'status', value: 'offline', label: 'devices.offline' },
  ...order.map((value): Chip => ({ filter: 'health', value, label: `healthChip.${value}` }))
]

/** How many boards a chip has, of all boards. */
export function countInFleet(fleet: FleetRecord, value: string): number | undefined {
  const counts: Record<string, number> = {
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
  }
  return counts[value]
}

/**
 * What each chip would show beside the other filters: of all boards from the fleet's counts, else by asking. Beside a
 * search nothing: each count would look through what it finds.
 */
export function useChipCounts(others: Omit<DeviceFilter, 'status' | 'health'>): (value: string) => number | undefined {
  const api = useApi()
  const fleet = useFleet()
  const isNarrowed = Object.values(others).some((value) => value !== undefined && value !== '')
  const isSearched = others.search !== undefined && others.search !== ''
  const asked = useQueries({
    queries: deviceChips.map(({ filter, value }) => {
      const query = { ...others, ...(value !== '' && { [filter]: value }), limit: 1 }
      return {
        queryKey: [...queryKeys.devices, 'count', query],
        queryFn: async ({ signal }: { signal: AbortSignal }) => (await api.call(listDevices, { query, signal })).total,
        enabled: isNarrowed && !isSearched
      }
    })
  })
  return (value) => {
    if (!isNarrowed) return fleet.data === undefined ? undefined : countInFleet(fleet.data, value)
    return asked[deviceChips.findIndex((chip) => chip.value === value)]?.data
  }
}
