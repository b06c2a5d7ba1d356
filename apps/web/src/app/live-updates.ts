import type { Services } from '../lib/services.ts'
import { notify } from '../lib/notify.ts'
import { applyDeviceUpdate } from '../features/devices/api/apply-update-from-device.ts'
import { devicesKey, type DeviceList } from '../features/devices/api/list-devices.ts'

/**
 * Socket events into the features' own caches; the boards' switches and presence are `lib/live`'s. A feature that shows
 * something an event changes adds its patch here. Answers its undo.
 */
export function followFeatureEvents({ connection, queryClient }: Services): () => void {
  const undo = [
    connection.on('update-from-device', (event) => {
      queryClient.setQueriesData<DeviceList>({ queryKey: devicesKey }, (list) => list && applyDeviceUpdate(list, event))
    }),
    connection.on('deviceStatus', ({ deviceMac, message }) => notify.error(message, `device ${deviceMac}`))
  ]
  return () => undo.forEach((run) => run())
}
