import { listOnTimes } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@batti/client/request'
import { minuteMs } from '@batti/kit/durations'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'

/** `answeredAt`: the server's time, as a phone's own may be wrong. */
export type OnTimes = AnswerOf<typeof listOnTimes> & { answeredAt: number }
export type OnTime = OnTimes['switches'][number]

/** The bars of switches that are on grow by the minute. */
const growEveryMs = minuteMs

/** Queries the on-times of the last 7 days, counted in the home's zone: of all the person's switches, or of one. */
export const useOnTimes = (switchId?: string) => useOnTimesOf(switchId === undefined ? {} : { switchId })

/** Queries the on-times of one board, for staff who may see it. */
export const useOnTimesOfBoard = (deviceId: string, isAllowed: boolean) => useOnTimesOf({ deviceId }, isAllowed)

function useOnTimesOf(which: { switchId?: string; deviceId?: string }, enabled = true) {
  const { api, serverTime } = useServices()
  return useQuery({
    queryKey: [...queryKeys.onTimes, which.switchId ?? which.deviceId ?? 'all'],
    refetchInterval: growEveryMs,
    enabled,
    queryFn: async ({ signal }): Promise<OnTimes> => {
      const answer = await api.call(listOnTimes, { query: { days: 7, ...which }, signal })
      return { ...answer, answeredAt: serverTime.now() }
    }
  })
}
