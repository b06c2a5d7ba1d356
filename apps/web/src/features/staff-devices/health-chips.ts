import { listDevices, type DeviceFilter, type HealthReason } from '@batti/contracts'
import { useQueries } from '@tanstack/react-query'
import type { MessageId } from '#web/i18n/message-id.ts'
import { fleetCounts, type FleetCounts } from '#web/lib/records/fleet-counts.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import { useFleet } from '#web/lib/records/use-fleet.ts'

/** Problems of online boards first, then those of offline ones. */
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
  value: keyof FleetCounts
  label: MessageId
}
export const deviceChips: readonly Chip[] = [
  { filter: 'status', value: '', label: 'table.all' },
  { filter: 'status', value: 'online', label: 'devices.online' },
  { filter: 'status', value: 'offline', label: 'devices.offline' },
  ...order.map((value): Chip => ({ filter: 'health', value, label: `healthChip.${value}` }))
]

/**
 * Returns the number for each chip, given the other filters: without any from the fleet's counts, else from the server.
 * None during a search, as each count would repeat it.
 */
export function useChipCounts(
  others: Omit<DeviceFilter, 'status' | 'health'>
): (value: keyof FleetCounts) => number | undefined {
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
    if (!isNarrowed) return fleet.data === undefined ? undefined : fleetCounts(fleet.data)[value]
    return asked[deviceChips.findIndex((chip) => chip.value === value)]?.data
  }
}
