import { outletOf, type SwitchRecord } from '@batti/contracts'
import type { OutletView } from '#web/lib/live/outlet-view.ts'

/** How a switch is drawn before anything live is known of its board: without light. */
export const unknownView = (record: Pick<SwitchRecord, 'switchIndex' | 'type' | 'speed'>): OutletView => ({
  ...outletOf(record.type, false, record.speed),
  index: record.switchIndex,
  phase: 'stale',
  isLocked: false,
  request: 0
})
