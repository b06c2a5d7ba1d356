import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useDeleteAccount } from '#web/features/accounts/api/delete-account.ts'
import { SuccessMessage } from './success-message.tsx'

/** Three steps: confirmation, password, success. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const t = useText()
  const deletion = useDeleteAccount()
  const [isConfirmed, setConfirmed] = useState(false)
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const saving = useSave(deletion.mutateAsync, { failed: t('delete.failed'), onRefused: setFault })
  const passwordInput = useRef<HTMLInputElement>(null)
  // The button that had the focus was removed with its step.
  useEffect(() => {
    if (isConfirmed) passwordInput.current?.focus()
  }, [isConfirmed])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (password === '') return setFault(t('delete.passwordRequired'))
    setFault(null)
    await saving.save(password)
  }
  return (
    <DialogSheet isOpen onClose={() => !deletion.isSuccess && onClose()} title={t('profile.delete')}>
      {deletion.isSuccess ? (
        <SuccessMessage text={t('delete.done')} />
      ) : isConfirmed ? (
        <Form isSaving={saving.isSaving} onSubmit={(event) => void submit(event)} className="grid gap-4 pt-2">
          <p className="text-ink-2">{t('delete.passwordWhy')}</p>
          <PasswordField
            label={t('delete.password')}
            name="password"
            required
            autoComplete="current-password"
            ref={passwordInput}
            value={password}
            error={fault ?? undefined}
            onChange={(event) => {
              setPassword(event.target.value)
              setFault(null)
            }}
          />
          <Button type="submit" variant="danger" width="full" isBusy={saving.isSaving}>
            {t(saving.isSaving ? 'delete.deleting' : 'delete.submit')}
          </Button>
        </Form>
      ) : (
        <div className="grid gap-4 pt-2">
          <p className="font-semibold">{t('delete.confirm')}</p>
          <p className="text-ink-2">{t('delete.what')}</p>
          <div className="flex flex-wrap justify-end gap-2">
            <SheetClose />
            <Button variant="danger" onClick={() => setConfirmed(true)}>
              {t('delete.continue')}
            </Button>
          </div>
        </div>
      )}
    </DialogSheet>
  )
}
