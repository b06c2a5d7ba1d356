import { createPart, usePart } from '#web/lib/use-part.ts'
import type { OfflineHelpProps } from './offline-help-dialog.tsx'

const helpDialog = createPart(async () => (await import('./offline-help-dialog.tsx')).OfflineHelpDialog)

/** Help for an offline board; loaded when it is first opened. */
export function OfflineHelp(props: OfflineHelpProps) {
  const dialog = usePart(helpDialog, props.isOpen, props.onClose)
  return dialog?.(props)
}
