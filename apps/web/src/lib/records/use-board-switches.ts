import type { SwitchRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { useApi, useUser } from '../services.ts'
import { maySeeSwitches } from '../session/session-user.ts'
import { listAllSwitches } from './list-all-switches.ts'

const none: Readonly<Record<number, SwitchRecord>> = {}

/** Returns the switches of a board by outlet, for staff; empty while unknown, or when this person may not see them. */
export function useBoardSwitches(deviceId: string): Readonly<Record<number, SwitchRecord>> {
  const api = useApi()
  const user = useUser()
  const { data = none } = useQuery({
    queryKey: [...queryKeys.switches, 'of', deviceId],
    enabled: user !== null && maySeeSwitches(user),
    queryFn: async ({ signal }) => {
      const switches = await api.call(listAllSwitches, { query: { deviceId, limit: 64 }, signal })
      return Object.fromEntries(
        switches.filter((record) => record.deviceId === deviceId).map((record) => [record.switchIndex, record])
      )
    }
  })
  return data
}
