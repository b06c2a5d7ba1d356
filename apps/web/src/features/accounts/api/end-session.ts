import { endSession } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleting } from '#web/lib/api/after-write.ts'
import { useApi } from '#web/lib/services.ts'
import { sessionsKey } from './list-sessions.ts'

/** Ends another session of the account. */
export function useEndSession() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => deleting(api.call(endSession, { params: { id } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey })
  })
}
