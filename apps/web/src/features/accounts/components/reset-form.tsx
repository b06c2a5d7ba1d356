import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { errorMessage, isCancelled } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import type { ForgotPasswordRequest } from '#web/lib/session/pending-values.ts'
import { newPasswordFault, refusedPassword } from '#web/features/accounts/api/reset-rules.ts'
import { useResetPassword } from '#web/features/accounts/api/reset-password.ts'

export interface ResetFormProps {
  /** The stored request, whose code is asked for; or the token of a link, which needs none. */
  from: { by: 'code'; request: ForgotPasswordRequest } | { by: 'link'; token: string }
  onReset: () => void
  onRefused: () => void
}

/** A new password, with the code where there is no link. */
export function ResetForm({ from, onReset, onRefused }: ResetFormProps) {
  const t = useText()
  const reset = useResetPassword()
  const [otp, setOtp] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (reset.isPending) return
    const code = otp.trim()
    if ((from.by === 'code' && code === '') || newPassword === '') return notify.error(t('reset.fill'), 'reset')
    const wrong = newPasswordFault(newPassword)
    if (wrong !== null) return setFault(t(wrong))
    try {
      await reset.mutateAsync(from.by === 'code' ? { ...from, otp: code, newPassword } : { ...from, newPassword })
      notify.success(t('reset.done'), 'reset')
      onReset()
    } catch (error) {
      if (isCancelled(error)) return
      notify.error(errorMessage(error, t('reset.failed')) ?? t('reset.failed'), 'reset')
      const refused = refusedPassword(error)
      if (refused === null) onRefused()
      else setFault(refused)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {from.by === 'code' && (
        <TextField
          label={t('reset.code')}
          name="otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
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
        onChange={(event) => {
          setNewPassword(event.target.value)
          setFault(null)
        }}
      />
      <Button type="submit" width="full" isBusy={reset.isPending}>
        {t('reset.submit')}
      </Button>
    </form>
  )
}
