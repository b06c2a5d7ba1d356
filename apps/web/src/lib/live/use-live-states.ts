import { skipToken, useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useServices } from '#web/lib/services.ts'
import type { DeviceLive } from './device-live.ts'
import { liveDeviceKey } from './live-devices.ts'

/** Returns the live states of several boards in the given order, undefined where unknown. Joins their rooms. */
export function useLiveStates(macs: readonly string[]): readonly (DeviceLive | undefined)[] {
  const { connection } = useServices()
  const key = macs.join(' ')
  useEffect(() => {
    for (const mac of key === '' ? [] : key.split(' ')) connection.join(mac)
  }, [connection, key])
  return useQueries({
    queries: macs.map((mac) => ({ queryKey: liveDeviceKey(mac), queryFn: skipToken })),
    combine: statesOf
  })
}

// A stable function: the library then returns the same array until one of the boards changes.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries below this key are DeviceLive alone
const statesOf = (results: readonly { data?: unknown }[]) => results.map(({ data }) => data as DeviceLive | undefined)
