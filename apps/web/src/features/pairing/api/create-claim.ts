import { createDeviceClaim } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'

/** A pairing code of this page's own. `refetch` makes another; leaving the page forgets it. */
export function useClaim() {
  const api = useApi()
  return useQuery({
    queryKey: ['device-claim', 'new'],
    // A code that nobody asked for again must not replace the one that was sent to the board: not even when all that is
    // shown is asked for anew, as after each loss of the line, and the phone that pairs leaves the house's Wi-Fi.
    staleTime: 'static',
    gcTime: 0,
    queryFn: () => api.call(createDeviceClaim, { body: {} })
  })
}
