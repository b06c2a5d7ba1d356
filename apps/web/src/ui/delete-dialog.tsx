import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

export interface DeleteDialogProps {
  title: string
  body?: string
  confirmLabel?: string
  remove: () => Promise<unknown>
  done: string
  failed: string
  onClose: () => void
}

/** The question before something is deleted, the deleting, and how it went. */
export function DeleteDialog({ title, body, confirmLabel, remove, done, failed, onClose }: DeleteDialogProps) {
  const t = useText()
  const removal = useSave(remove, { done, failed })
  return (
    <ConfirmDialog
      isOpen
      tone="danger"
      title={title}
      {...(body !== undefined && { body })}
      confirmLabel={confirmLabel ?? t('common.delete')}
      isBusy={removal.isSaving}
      onCancel={onClose}
      onConfirm={() => void removal.save().then(onClose)}
    />
  )
}
