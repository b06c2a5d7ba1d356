import type { ReactNode } from 'react'
import type { RouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from './button.tsx'
import { DialogSheet, type DialogSheetProps } from './dialog-sheet.tsx'
import { SheetClose } from './sheet-close.tsx'

export interface FormDialogProps extends Pick<DialogSheetProps, 'title' | 'description' | 'width' | 'onClose'> {
  form: RouteForm
  submitLabel?: string
  canSubmit?: boolean
  /** Beside the submit button: a second way to save. */
  extra?: ReactNode
  children: ReactNode
}

/** A form in a sheet: its fields scroll, its buttons stay, and closing never loses typed text without asking. */
export function FormDialog({ form, submitLabel, canSubmit = true, extra, children, ...sheet }: FormDialogProps) {
  const t = useText()
  return (
    <DialogSheet
      {...sheet}
      isOpen
      isDirty={form.isDirty}
      footer={
        <>
          <SheetClose />
          {extra}
          <Button type="submit" form={form.id} isBusy={form.isSaving} disabled={!canSubmit}>
            {submitLabel ?? t('common.save')}
          </Button>
        </>
      }
    >
      <form id={form.id} noValidate onSubmit={form.submit} className="grid gap-4 py-2">
        {children}
      </form>
    </DialogSheet>
  )
}
