import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { useVerifyRegistration } from '#web/features/accounts/api/verify-registration.ts'

/** The code from the mail. A missing registration token, an empty code and a refusal each have their text. */
export function VerifyForm({ onVerified }: { onVerified: () => void }) {
  const t = useText()
  const { pending } = useServices()
  const verification = useVerifyRegistration()
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string | null>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (verification.isPending) return
    const registrationToken = pending.registrationToken()
    if (registrationToken === null) return setFault(t('verify.missingToken'))
    if (code.trim() === '') return setFault(t('verify.codeRequired'))
    try {
      await verification.mutateAsync({ otp: code, registrationToken })
      pending.dropRegistrationToken()
      onVerified()
    } catch (error) {
      setFault(errorMessage(error, t('verify.failed')))
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <TextField
        label={t('verify.code')}
        name="otp"
        value={code}
        error={fault ?? undefined}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={16}
        onChange={(event) => {
          setCode(event.target.value)
          setFault(null)
        }}
      />
      <Button type="submit" width="full" isBusy={verification.isPending}>
        {t('verify.submit')}
      </Button>
    </form>
  )
}
