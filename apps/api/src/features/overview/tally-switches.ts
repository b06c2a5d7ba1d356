import type { LiveDevice } from '../../boards/registry/live-device.ts'

/**
 * How many switches these boards have, and how many of them are on as the boards last said. An outlet whose switch
 * record was deleted is none: the same switches are counted that `GET /switches` lists.
 */
export function tallySwitches(devices: readonly Pick<LiveDevice, 'outlets'>[]): {
  total: number
  on: number
} {
  let total = 0
  let on = 0
  for (const device of devices) {
    for (const outlet of device.outlets) {
      if (outlet.switchId === '') continue
      total += 1
      if (outlet.on) on += 1
    }
  }
  return { total, on }
}
