import type { ReactNode } from 'react'
import type { RouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from '../button.tsx'
import { DialogSheet, type DialogSheetProps } from './dialog-sheet.tsx'
import { Form } from '../fields/form.tsx'
import { SheetClose } from './sheet-close.tsx'

export interface FormDialogProps extends Pick<DialogSheetProps, 'title' | 'description' | 'width' | 'onClose'> {
  form: RouteForm
  submitLabel?: string
  canSubmit?: boolean
  /** A second way to save, beside the submit button. */
  extra?: ReactNode
  children: ReactNode
}

/** A form in a sheet: the fields scroll, the buttons stay, and closing asks before unsaved text is lost. */
export function FormDialog({ form, submitLabel, canSubmit = true, extra, children, ...sheet }: FormDialogProps) {
  const t = useText()
  return (
    <DialogSheet
      {...sheet}
      isOpen
      isDirty={form.isDirty}
      isSaving={form.isSaving}
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
      <Form id={form.id} isSaving={form.isSaving} onSubmit={form.submit} className="grid grid-cols-1 gap-4 py-2">
        {children}
      </Form>
    </DialogSheet>
  )
}
