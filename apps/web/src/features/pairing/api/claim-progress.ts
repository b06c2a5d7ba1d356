import { getDeviceClaim, type ClaimProgress } from '@batti/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useServices } from '#web/lib/services.ts'
import { laterProgress, type Pairing } from '#web/features/pairing/pairing-steps.ts'

const pollEveryMs = 4000
/** Not after a failure, as the code is still valid for another try. */
const isOver = (step: ClaimProgress['step'] | undefined) => step === 'online' || step === 'expired'

/**
 * Follows a pairing, by socket and by polling every few seconds, because the phone that pairs leaves the home's Wi-Fi
 * for the board's and comes back.
 */
export function useClaimProgress(id: string | undefined): Pairing | undefined {
  const { api, connection } = useServices()
  const queryClient = useQueryClient()
  const queryKey = ['device-claim', id]
  const { data } = useQuery<Pairing>({
    queryKey,
    enabled: id !== undefined,
    retry: false,
    refetchInterval: (query) => (isOver(query.state.data?.step) ? false : pollEveryMs),
    queryFn: async ({ signal }) => {
      const next = await api.call(getDeviceClaim, { params: { id: id ?? '' }, signal })
      return laterProgress(queryClient.getQueryData<Pairing>(queryKey), next)
    }
  })
  useEffect(
    () =>
      connection.on('claim-progress', (next) => {
        queryClient.setQueryData<Pairing>(['device-claim', next.id], (current) => laterProgress(current, next))
      }),
    [connection, queryClient]
  )
  return data
}
