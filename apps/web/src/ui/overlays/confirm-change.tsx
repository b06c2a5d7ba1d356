import { useIsShown } from '#web/lib/use-is-shown.ts'
import { useSave } from '#web/lib/use-save.ts'
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx'

export interface ConfirmChangeProps extends Pick<ConfirmDialogProps, 'title' | 'body' | 'confirmLabel' | 'focusAfter'> {
  change: () => Promise<unknown>
  done: string
  failed: string
  onClose: () => void
}

/** Asks before a change, runs it, reports its result, and closes. */
export function ConfirmChange({ change, done, failed, onClose, ...question }: ConfirmChangeProps) {
  const { save, isSaving } = useSave(change, { done, failed })
  const isShown = useIsShown()
  async function confirm() {
    await save()
    // Somebody may have closed the question meanwhile, and opened another dialog.
    if (isShown.current) onClose()
  }
  return <ConfirmDialog {...question} isOpen isBusy={isSaving} onCancel={onClose} onConfirm={() => void confirm()} />
}
