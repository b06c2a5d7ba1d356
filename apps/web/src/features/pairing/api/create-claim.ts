import { createDeviceClaim, type DeviceClaim } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'

/** Queries a new pairing code for this page, or takes `sent`. `refetch` creates another; leaving the page drops it. */
export function useClaim(sent?: DeviceClaim) {
  const api = useApi()
  return useQuery({
    queryKey: ['device-claim', 'new'],
    // The code that was sent to the board must not be replaced unasked, not even when everything is refetched after a
    // reconnection: the phone that pairs leaves the home's Wi-Fi.
    staleTime: 'static',
    gcTime: 0,
    initialData: sent,
    queryFn: () => api.call(createDeviceClaim, { body: {} })
  })
}
