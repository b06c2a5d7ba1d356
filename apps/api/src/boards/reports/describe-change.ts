import type { ChangeCause, DeviceReport } from '@batti/contracts'
import type { OutletChange } from '../../platform/events.ts'
import { outletTypeOf, type LiveDevice } from '../registry/live-device.ts'

/** Why a report says what it says; `ofCommand` is the cause of the command that it answers, where there was one. */
export function causeOf(report: DeviceReport, ofCommand: ChangeCause | undefined): ChangeCause {
  switch (report.cause) {
    case 'command':
      return ofCommand ?? { by: 'unknown', from: 'board' }
    case 'button':
      return { by: 'button', from: 'board' }
    case 'schedule':
      // An entry's id is `<scheduleId>:start` or `<scheduleId>:end`.
      return {
        by: 'schedule',
        from: 'schedule',
        ...(report.scheduleId === undefined ? {} : { scheduleId: report.scheduleId.split(':')[0] ?? '' })
      }
    case 'boot':
      return { by: 'power', from: 'board' }
    case 'config':
    case 'resync':
      return { by: 'unknown', from: 'board' }
  }
}

/** The sentence of an action log row: `Kitchen lamp turned ON`, `Ceiling fan speed set to 140`. */
export function describeChange(device: LiveDevice, before: { on: boolean | undefined }, change: OutletChange): string {
  const name = device.outlets[change.index]?.name ?? `Switch ${change.index + 1}`
  const isSpeedOnly = outletTypeOf(device, change.index) === 'fan' && before.on === change.on
  return isSpeedOnly ? `${name} speed set to ${change.speed}` : `${name} turned ${change.on ? 'ON' : 'OFF'}`
}
