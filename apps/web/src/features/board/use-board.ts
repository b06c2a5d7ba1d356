import {
  getDeviceHistory,
  listActionLogs,
  listDeviceEvents,
  listSchedules,
  type DeviceRecord,
  type ScheduleRecord
} from '@batti/contracts'
import { dayMs, minuteMs } from '@batti/kit/durations'
import { useQuery } from '@tanstack/react-query'
import { useLiveDevice } from '#web/lib/live/use-live-device.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi, useServices } from '#web/lib/services.ts'
import { withOpenEnd } from './lanes.ts'

export type Days = '1' | '7'
const renewMs = minuteMs

/** Queries a board's history of the last one or seven days; refetched every minute. */
export function useBoardHistory(device: DeviceRecord, days: Days) {
  const { _id: id, createdAt } = device
  const api = useApi()
  const { serverTime } = useServices()
  const { isOnline, onlineChangedAt } = useLiveDevice(device).live
  const onlineSince = isOnline ? (onlineChangedAt ?? Date.parse(createdAt)) : null
  return useQuery({
    queryKey: ['device', id, 'history', days],
    queryFn: async ({ signal }) => {
      const history = await api.call(getDeviceHistory, { params: { id }, query: { days }, signal })
      const to = serverTime.now()
      const from = to - Number(days) * dayMs
      // A board that was added yesterday was not offline the day before.
      return { history, window: { from, to }, known: { from: Math.max(from, Date.parse(createdAt)), to } }
    },
    select: (data) => ({ ...data, history: withOpenEnd(data.history, data.window, onlineSince) }),
    refetchInterval: renewMs
  })
}
export type BoardHistory = NonNullable<ReturnType<typeof useBoardHistory>['data']>

/** Queries the last 50 events of a board. */
export function useBoardEvents(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['device', id, 'events'],
    queryFn: ({ signal }) => api.call(listDeviceEvents, { params: { id }, query: { limit: 50 }, signal }),
    refetchInterval: renewMs
  })
}

export function useBoardSchedules(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['schedules', 'of-board', id],
    queryFn: async ({ signal }): Promise<ScheduleRecord[]> =>
      (await api.call(listSchedules, { query: { deviceId: id, limit: 100 }, signal })).schedules
  })
}

/** Queries the latest changes on a board, and who made them. */
export function useBoardLog(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.actionLogs, 'of-board', id],
    queryFn: ({ signal }) => api.call(listActionLogs, { query: { deviceId: id, limit: 12 }, signal })
  })
}
