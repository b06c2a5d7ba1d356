import { createSchedule, deleteSchedule, toggleSchedule, updateSchedule, type ScheduleRecord } from '@batti/contracts'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { CallOptions } from '@batti/client/request'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export type NewSchedule = CallOptions<typeof createSchedule>['body']
export type ScheduleChanges = NonNullable<CallOptions<typeof updateSchedule>['body']>

const isChanged = (queryClient: QueryClient) =>
  Promise.all([queryKeys.schedules, queryKeys.dashboard].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
const replaceInList = (queryClient: QueryClient, record: ScheduleRecord) =>
  queryClient.setQueryData<readonly ScheduleRecord[]>(queryKeys.schedules, (list) =>
    list?.map((each) => (each._id === record._id ? record : each))
  )

export function useCreateSchedule() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewSchedule) => api.call(createSchedule, { body }),
    onSuccess: () => isChanged(queryClient)
  })
}

export function useUpdateSchedule() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ScheduleChanges }) =>
      api.call(updateSchedule, { params: { id }, body }),
    onSuccess: (record) => {
      replaceInList(queryClient, record)
      return isChanged(queryClient)
    }
  })
}

/** Sets it active or not, whoever set it meanwhile; the server answers the record as it then stands. */
export function useToggleSchedule() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      api.call(toggleSchedule, { params: { id }, body: { isActive } }),
    onSuccess: (record) => {
      replaceInList(queryClient, record)
      // Its card says so already: it can be pressed again while the rest is asked for.
      void isChanged(queryClient)
    }
  })
}

export function useDeleteSchedule() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.call(deleteSchedule, { params: { id } }),
    onSuccess: (_, id) => {
      queryClient.setQueryData<readonly ScheduleRecord[]>(queryKeys.schedules, (list) =>
        list?.filter((each) => each._id !== id)
      )
      return isChanged(queryClient)
    }
  })
}
