import type { NewSchedule } from '#web/lib/records/new-schedule.ts'
import { createSchedule, deleteSchedule, toggleSchedule, updateSchedule, type ScheduleRecord } from '@batti/contracts'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { CallOptions } from '@batti/client/request'
import { deleting, readAgain } from '#web/lib/api/after-write.ts'
import { useMakeOnce } from '#web/lib/api/use-make-once.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi, useServices } from '#web/lib/services.ts'
import { schedulesQuery } from '#web/lib/records/use-schedules.ts'
import { hasSameContent } from '#web/lib/records/has-same-content.ts'

export type ScheduleChanges = NonNullable<CallOptions<typeof updateSchedule>['body']>

const isChanged = (queryClient: QueryClient, error: Error | null) =>
  readAgain(queryClient, [queryKeys.schedules, queryKeys.dashboard], error)
const replaceInList = (queryClient: QueryClient, record: ScheduleRecord) =>
  queryClient.setQueryData<readonly ScheduleRecord[]>(queryKeys.schedules, (list) =>
    list?.map((each) => (each._id === record._id ? record : each))
  )

export function useCreateSchedule() {
  const services = useServices()
  const queryClient = useQueryClient()
  const create = useMakeOnce(
    (body: NewSchedule) => services.api.call(createSchedule, { body }),
    async (body) =>
      (await queryClient.fetchQuery({ ...schedulesQuery(services), staleTime: 0 })).find((each) =>
        hasSameContent(each, body)
      )
  )
  return useMutation({
    mutationFn: create,
    onSettled: (_, error) => isChanged(queryClient, error)
  })
}

export function useUpdateSchedule() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ScheduleChanges }) =>
      api.call(updateSchedule, { params: { id }, body }),
    onSuccess: (record) => replaceInList(queryClient, record),
    onSettled: (_, error) => isChanged(queryClient, error)
  })
}

/** Sets a schedule active or inactive, whoever set it meanwhile; the server returns the new record. */
export function useToggleSchedule() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      api.call(toggleSchedule, { params: { id }, body: { isActive } }),
    onSuccess: (record) => replaceInList(queryClient, record),
    // Not awaited: the card is updated already and can be pressed again during the refetch.
    onSettled: (_, error) => void isChanged(queryClient, error)
  })
}

export function useDeleteSchedule() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => deleting(api.call(deleteSchedule, { params: { id } })),
    onSuccess: (_, id) => {
      queryClient.setQueryData<readonly ScheduleRecord[]>(queryKeys.schedules, (list) =>
        list?.filter((each) => each._id !== id)
      )
    },
    onSettled: (_, error) => isChanged(queryClient, error)
  })
}
