import { clearMyActionLogs, deleteActionLog } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { logViews } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export function useDeleteLog() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.call(deleteActionLog, { params: { id } }),
    onSuccess: () => Promise.all(logViews.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  })
}

/** Clears everything of the signed-in person, whatever the filters show. */
export function useClearLogs() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call(clearMyActionLogs),
    onSuccess: () => Promise.all(logViews.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  })
}
