import { useEffect } from 'react'
import { useDevices } from '#web/features/devices/api/list-devices.ts'
import { useServices } from '#web/lib/services.ts'

/**
 * Joins the rooms of all the person's boards. A page that shows what boards did, but none of their switches, would
 * otherwise get no events.
 */
export function useFollowBoards(): void {
  const { connection } = useServices()
  const { data } = useDevices()
  useEffect(() => data?.devices.forEach(({ deviceMac }) => connection.join(deviceMac)), [connection, data])
}
