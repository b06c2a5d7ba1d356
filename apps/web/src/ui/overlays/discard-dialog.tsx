import { useText } from '#web/lib/i18n/use-text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks before unsaved text is lost. Closing discards nothing of a text that is being saved, unless that fails. */
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
      title={t(isSaving ? 'common.discardSaving' : 'common.discardTitle')}
      body={isSaving ? undefined : t('common.discardBody')}
      confirmLabel={t(isSaving ? 'common.close' : 'common.discard')}
      cancelLabel={t('common.keepEditing')}
      onCancel={onKeep}
      onConfirm={onDiscard}
    />
  )
}
