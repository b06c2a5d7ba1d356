import { outletOf, type SwitchRecord } from '@batti/contracts'
import type { OutletView } from '#web/lib/live/outlet-view.ts'

/** Returns the view of a switch before its board's live state is known: not lit. */
export const unknownView = (record: Pick<SwitchRecord, 'switchIndex' | 'type' | 'speed'>): OutletView => ({
  ...outletOf(record.type, false, record.speed),
  index: record.switchIndex,
  phase: 'stale',
  isLocked: false,
  request: 0
})
