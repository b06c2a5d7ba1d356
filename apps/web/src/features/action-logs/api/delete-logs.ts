import { clearMyActionLogs, deleteActionLog } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleting, readAgain } from '#web/lib/api/after-write.ts'
import { logViews } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export function useDeleteLog() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => deleting(api.call(deleteActionLog, { params: { id } })),
    onSettled: (_, error) => readAgain(queryClient, logViews, error)
  })
}

/** Clears the whole log of the signed-in person, whatever the filters are. */
export function useClearLogs() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call(clearMyActionLogs),
    onSettled: (_, error) => readAgain(queryClient, logViews, error)
  })
}
