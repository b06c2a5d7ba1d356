import { useRef } from 'react'
import { deleting } from '#web/lib/api/after-write.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
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

/** Returns the next focus: the row in the deleted one's place, the search field, or the page. */
const afterDeleted = () =>
  document.querySelector<HTMLElement>('main tbody tr[tabindex="0"]') ??
  document.querySelector<HTMLElement>('main input[type=search]') ??
  document.querySelector('main')

/** Asks before a deletion, runs it, and reports its result. */
export function DeleteDialog({ title, body, confirmLabel, remove, done, failed, onClose }: DeleteDialogProps) {
  const t = useText()
  const removal = useSave(() => deleting(remove()), { done, failed })
  const isGone = useRef(false)
  const isShown = useIsShown()
  async function confirm() {
    isGone.current = await removal.save()
    // Somebody may have closed the question meanwhile, and opened another dialog.
    if (isShown.current) onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      title={title}
      {...(body !== undefined && { body })}
      confirmLabel={confirmLabel ?? t('common.delete')}
      isBusy={removal.isSaving}
      onCancel={onClose}
      onConfirm={() => void confirm()}
      focusAfter={() => (isGone.current ? afterDeleted() : null)}
    />
  )
}
