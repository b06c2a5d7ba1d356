import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useSave } from '#web/lib/use-save.ts'
import type { ForgotPasswordRequest } from '#web/lib/session/pending-values.ts'
import { newPasswordFault, refusedPassword } from '#web/features/accounts/api/reset-rules.ts'
import { useResetPassword, type Reset } from '#web/features/accounts/api/reset-password.ts'

export interface ResetFormProps {
  /** The stored request, which needs its code; or the token of a link, which needs none. */
  from: { by: 'code'; request: ForgotPasswordRequest } | { by: 'link'; token: string }
  onReset: () => void
  onRefused: () => void
}

/** Asks for a new password, and for the code unless there is a link. */
export function ResetForm({ from, onReset, onRefused }: ResetFormProps) {
  const t = useText()
  const [otp, setOtp] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)

  const reset = useSave(useResetPassword().mutateAsync, {
    done: t('reset.done'),
    failed: t('reset.failed'),
    id: 'reset',
    onRefused: (message, error) => {
      notify.error(message, 'reset')
      const refused = refusedPassword(error)
      if (refused === null) onRefused()
      else setFault(refused)
    }
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const code = otp.trim()
    setChecked(true)
    if ((from.by === 'code' && code === '') || newPassword === '') return notify.error(t('reset.fill'), 'reset')
    const wrong = newPasswordFault(newPassword)
    if (wrong !== null) return setFault(t(wrong))
    const wanted: Reset = from.by === 'code' ? { ...from, otp: code, newPassword } : { ...from, newPassword }
    if (await reset.save(wanted)) onReset()
  }
  return (
    <Form isSaving={reset.isSaving} onSubmit={(event) => void submit(event)} className="grid gap-4">
      {from.by === 'code' && (
        <TextField
          label={t('reset.code')}
          name="otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
          isWrong={isChecked && otp.trim() === ''}
          value={otp}
          onChange={(event) => setOtp(event.target.value)}
        />
      )}
      <PasswordField
        label={t('reset.newPassword')}
        name="newPassword"
        autoComplete="new-password"
        hint={t('recovery.passwordLength')}
        value={newPassword}
        error={fault ?? undefined}
        isWrong={isChecked && newPassword === ''}
        onChange={(event) => {
          setNewPassword(event.target.value)
          setFault(null)
        }}
      />
      <Button type="submit" width="full" isBusy={reset.isSaving}>
        {t('reset.submit')}
      </Button>
    </Form>
  )
}
