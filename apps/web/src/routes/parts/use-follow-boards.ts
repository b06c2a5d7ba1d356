import { useEffect } from 'react'
import { useDevices } from '#web/features/devices/api/list-devices.ts'
import { useServices } from '#web/lib/services.ts'

/**
 * Lights the page with the person's boards and follows all of them: a page that shows what boards did, and none of their
 * switches, would otherwise hear of nothing.
 */
export function useFollowBoards(): void {
  const { connection } = useServices()
  const { data } = useDevices()
  useEffect(() => data?.devices.forEach(({ deviceMac }) => connection.join(deviceMac)), [connection, data])
}
