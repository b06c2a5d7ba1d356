import { listSwitches, switchRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { queryKeys } from './query-keys.ts'
import { useApi } from './services.ts'

/** Staff get switches as a bare list. */
const listForStaff = { ...listSwitches, answer: z.array(switchRecord) }
const none: Readonly<Record<number, string>> = {}

/** The names that people gave the outlets of a board, for staff who look at it; none while they are not known. */
export function useBoardNames(deviceId: string): Readonly<Record<number, string>> {
  const api = useApi()
  const { data = none } = useQuery({
    queryKey: [...queryKeys.switches, 'of', deviceId],
    queryFn: async ({ signal }) => {
      const switches = await api.call(listForStaff, { query: { deviceId, limit: 64 }, signal })
      return Object.fromEntries(
        switches
          .filter((record) => record.deviceId === deviceId)
          .map((record) => [record.switchIndex, record.switchName])
      )
    }
  })
  return data
}
