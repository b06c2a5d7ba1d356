import type { SwitchRecord } from '@batti/contracts'
import { lazy, Suspense } from 'react'

const OfflineHelpDialog = lazy(async () => ({
  default: (await import('./offline-help-dialog.tsx')).OfflineHelpDialog
}))

export interface OfflineHelpProps {
  record: SwitchRecord
  since: string
  isOpen: boolean
  onClose: () => void
}

/** What can be done about a board that is out of reach; loaded when it is first asked for. */
export function OfflineHelp(props: OfflineHelpProps) {
  if (!props.isOpen) return null
  return (
    <Suspense>
      <OfflineHelpDialog {...props} />
    </Suspense>
  )
}
