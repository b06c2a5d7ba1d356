import { getDashboard, staffDashboard } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { queryKeys } from './query-keys.ts'
import { useApi } from './services.ts'

export type StaffTotals = z.output<typeof staffDashboard>

// The call answers a person at home with other fields; an admin's and a monitor's answer is this one.
const getStaffDashboard = { ...getDashboard, answer: staffDashboard }

/** Totals of the whole installation; a monitor gets those that its permissions allow. */
export function useStaffTotals() {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.dashboard, 'staff'],
    queryFn: ({ signal }): Promise<StaffTotals> => api.call(getStaffDashboard, { signal })
  })
}

const none: Readonly<Record<string, number | undefined>> = {}

/** The totals by name, as far as they are known yet. */
export function useTotals(): Readonly<Record<string, number | undefined>> {
  return useStaffTotals().data ?? none
}
