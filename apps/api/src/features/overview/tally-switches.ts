import type { LiveDevice } from '../../boards/registry/live-device.ts'

/**
 * How many switches these boards have, and how many of them are on as the boards last said. An outlet whose switch
 * record was deleted is none: the same switches are counted that `GET /switches` lists.
 */
export function tallySwitches(devices: readonly Pick<LiveDevice, 'outlets' | 'switch'>[]): {
  total: number
  on: number
} {
  let total = 0
  let on = 0
  for (const device of devices) {
    for (const [index, outlet] of device.outlets.entries()) {
      if (outlet.switchId === '') continue
      total += 1
      if (device.switch[index] === true) on += 1
    }
  }
  return { total, on }
}
