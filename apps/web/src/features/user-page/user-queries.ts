import {
  getUser,
  listActionLogs,
  listAuditLogs,
  listDevices,
  listRooms,
  listSchedules,
  listUserSessions,
  type AuditLogRecord
} from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

/** The number of rows in a part; its list shows all. */
export const few = 10
/** The most boards of one person that are judged for the page's first sentence. */
const boardsMax = 100

export function useAccount(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['users', 'by-id', id],
    queryFn: ({ signal }) => api.call(getUser, { params: { id }, signal })
  })
}

export function useBoardsOf(userId: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.devices, 'of', userId],
    queryFn: ({ signal }) => api.call(listDevices, { query: { userId, limit: boardsMax, sort: 'health' }, signal })
  })
}

export function useRoomsOf(userId: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.rooms, 'page of', userId],
    queryFn: ({ signal }) => api.call(listRooms, { query: { userId, limit: few, sort: 'roomName' }, signal })
  })
}

export function useSchedulesOf(userId: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.schedules, 'of', userId],
    queryFn: ({ signal }) => api.call(listSchedules, { query: { userId, limit: few }, signal })
  })
}

export function useLogsOf(userId: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.actionLogs, 'of', userId],
    queryFn: ({ signal }) => api.call(listActionLogs, { query: { userId, limit: few }, signal })
  })
}

export function useSessionsOf(userId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['users', 'sessions', userId],
    queryFn: async ({ signal }) => (await api.call(listUserSessions, { params: { id: userId }, signal })).sessions
  })
}

/** Queries what this person changed, and what was changed in their account, newest first. */
export function useChangesOf(userId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['audit-logs', 'of', userId],
    queryFn: async ({ signal }) => {
      const [by, about] = await Promise.all([
        api.call(listAuditLogs, { query: { actor: userId, limit: few }, signal }),
        api.call(listAuditLogs, { query: { target: userId, limit: few }, signal })
      ])
      return newestOf([...by.logs, ...about.logs], few)
    }
  })
}

/** Deduplicates: a change to one's own account is in both lists. */
export function newestOf(logs: readonly AuditLogRecord[], limit: number): AuditLogRecord[] {
  const once = [...new Map(logs.map((log) => [log._id, log])).values()]
  return once.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit)
}
