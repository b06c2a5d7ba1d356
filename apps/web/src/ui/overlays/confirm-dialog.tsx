import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from '../button.tsx'
import { useBackCloses } from './use-back-closes.ts'

export interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  body?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  isBusy?: boolean
  onConfirm: () => void
  onCancel: () => void
  /** Returns the element to focus on closing; null for the one that had the focus before. */
  focusAfter?: () => HTMLElement | null
}

/** Asks before something that cannot be undone. The safe answer has the focus. */
export function ConfirmDialog({
  isOpen,
  title,
  body,
  confirmLabel,
  cancelLabel,
  isBusy = false,
  onConfirm,
  onCancel,
  focusAfter = () => null
}: ConfirmDialogProps) {
  const t = useText()
  useBackCloses(isOpen, onCancel)
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop
          forceRender
          className="fixed inset-0 z-60 bg-veil transition-opacity duration-160 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <AlertDialog.Viewport className="fixed inset-0 z-70 grid grid-cols-[minmax(0,1fr)] place-items-center p-5">
          <AlertDialog.Popup
            finalFocus={() => focusAfter() ?? true}
            className="max-h-full w-full max-w-100 overflow-y-auto rounded-3xl border border-line bg-raised p-6 shadow-float outline-none transition-[scale,opacity] duration-160 data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0"
          >
            <AlertDialog.Title className="text-20 font-semibold">{title}</AlertDialog.Title>
            {body !== undefined && (
              <AlertDialog.Description render={<div />} className="mt-2 text-ink-2">
                {body}
              </AlertDialog.Description>
            )}
            <div className="mt-6 flex flex-wrap justify-end gap-2">
              <AlertDialog.Close render={<Button variant="quiet" />}>
                {cancelLabel ?? t('common.cancel')}
              </AlertDialog.Close>
              <Button variant="danger" isBusy={isBusy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
