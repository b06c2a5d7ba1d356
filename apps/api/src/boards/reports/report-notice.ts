import type { ChangeCause } from '@batti/contracts'
import type { OutletChange } from '../../platform/events.ts'

export interface ReportNotice {
  changed: readonly OutletChange[]
  cause: ChangeCause
  commandId: string | undefined
  at: number
}
