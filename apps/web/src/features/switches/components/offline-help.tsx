import type { SwitchRecord } from '@batti/contracts'
import { createPart, usePart } from '#web/lib/use-part.ts'

const helpDialog = createPart(async () => (await import('./offline-help-dialog.tsx')).OfflineHelpDialog)

export interface OfflineHelpProps {
  record: SwitchRecord
  /** What is offline, if it is more than the switch's board. */
  device?: string
  since: string
  isOpen: boolean
  onClose: () => void
}

/** Help for an offline board; loaded when it is first opened. */
export function OfflineHelp(props: OfflineHelpProps) {
  const dialog = usePart(helpDialog, props.isOpen, props.onClose)
  return dialog?.(props)
}
