import { getDashboard, staffDashboard } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { queryKeys } from '../query-keys.ts'
import { useApi } from '../services.ts'

export type StaffTotals = z.output<typeof staffDashboard>

// The answer to a user has other fields; this schema is for admins and monitors.
const getStaffDashboard = { ...getDashboard, answer: staffDashboard }

/** Queries the totals of the installation; a monitor gets those that the permissions allow. */
export function useStaffTotals() {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.dashboard, 'staff'],
    queryFn: ({ signal }): Promise<StaffTotals> => api.call(getStaffDashboard, { signal })
  })
}

const none: Readonly<Record<string, number | undefined>> = {}

/** Returns the totals by name, if known. */
export function useTotals(): Readonly<Record<string, number | undefined>> {
  return useStaffTotals().data ?? none
}
