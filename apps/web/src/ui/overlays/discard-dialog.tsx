import { useText } from '#web/lib/i18n/use-text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks before unsaved text is lost. */
export function DiscardDialog({
  isOpen,
  isSaving = false,
  onKeep,
  onDiscard
}: {
  isOpen: boolean
  isSaving?: boolean
  onKeep: () => void
  onDiscard: () => void
}) {
  const t = useText()
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('common.discardTitle')}
      body={t(isSaving ? 'common.discardSaving' : 'common.discardBody')}
      confirmLabel={t('common.discard')}
      cancelLabel={t('common.keepEditing')}
      onCancel={onKeep}
      onConfirm={onDiscard}
    />
  )
}
