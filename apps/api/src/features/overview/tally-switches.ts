import type { LiveDevice } from '../../boards/registry/live-device.ts'

/**
 * Counts the switches of these boards, and how many are on according to the last reports. Outlets whose switch record was
 * deleted do not count, so the numbers match the list of `GET /switches`.
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
