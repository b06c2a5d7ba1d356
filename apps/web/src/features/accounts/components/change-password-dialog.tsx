import { useState, type ChangeEvent, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { faultsOf } from '#web/lib/form/fault-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useChangePassword } from '#web/features/accounts/api/change-password.ts'
import { newPasswordFault } from '#web/features/accounts/api/reset-rules.ts'
import { FormMessage } from './form-message.tsx'
import { SuccessMessage } from './success-message.tsx'

const empty = { old: '', new: '', confirm: '' }
type Field = keyof typeof empty
const autoComplete = { old: 'current-password', new: 'new-password', confirm: 'new-password' } as const

/** Asks for the old password, and twice for the new one. Afterwards all sessions have ended, this one too. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const t = useText()
  const change = useChangePassword()
  const [draft, setDraft] = useState(empty)
  const [faults, setFaults] = useState<Partial<Record<Field, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)

  const saving = useSave(change.mutateAsync, {
    failed: t('password.failed'),
    onRefused: (message, error) => {
      const { oldPassword, newPassword } = faultsOf(t, error)
      setFaults({ ...(oldPassword && { old: oldPassword }), ...(newPassword && { new: newPassword }) })
      setFailure(message)
    }
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found: Partial<Record<Field, string>> = {}
    for (const name of ['old', 'new', 'confirm'] as const) if (draft[name] === '') found[name] = t('profile.required')
    if (found.new === undefined && newPasswordFault(draft.new) !== null) found.new = t('password.length')
    if (found.confirm === undefined && draft.new !== draft.confirm) found.confirm = t('password.mismatch')
    setFaults(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return
    await saving.save({ oldPassword: draft.old, newPassword: draft.new })
  }
  const field = (name: Field) => ({
    name,
    label: t(`password.${name}`),
    value: draft[name],
    error: faults[name],
    required: true,
    autoComplete: autoComplete[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setDraft({ ...draft, [name]: event.target.value })
      setFaults({ ...faults, [name]: undefined })
    }
  })
  const isDirty = Object.values(draft).some((value) => value !== '')
  return (
    <DialogSheet
      isOpen
      // The session ends a moment later by itself; until then the success message stays.
      onClose={() => !change.isSuccess && onClose()}
      title={t('profile.changePassword')}
      isDirty={isDirty && !change.isSuccess}
      isSaving={saving.isSaving}
    >
      {change.isSuccess ? (
        <SuccessMessage text={t('password.done')} />
      ) : (
        <Form isSaving={saving.isSaving} onSubmit={(event) => void submit(event)} className="grid gap-4 pt-2">
          <PasswordField {...field('old')} />
          <PasswordField {...field('new')} hint={t('password.hint')} />
          <PasswordField {...field('confirm')} />
          {failure !== null && <FormMessage isFault text={failure} />}
          <Button type="submit" width="full" isBusy={saving.isSaving} className="mt-1">
            {t('password.submit')}
          </Button>
        </Form>
      )}
    </DialogSheet>
  )
}
