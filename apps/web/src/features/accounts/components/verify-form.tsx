import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useServices } from '#web/lib/services.ts'
import { useVerifyRegistration } from '#web/features/accounts/api/verify-registration.ts'

/** Asks for the code from the e-mail. A missing registration token, an empty code and a refusal each have a message. */
export function VerifyForm({ onVerified }: { onVerified: () => void }) {
  const t = useText()
  const { pending } = useServices()
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string | null>(null)

  const verification = useSave(useVerifyRegistration().mutateAsync, {
    failed: t('verify.failed'),
    onRefused: setFault
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const registrationToken = pending.registrationToken()
    if (registrationToken === null) return setFault(t('verify.missingToken'))
    if (code.trim() === '') return setFault(t('verify.codeRequired'))
    setFault(null)
    if (await verification.save({ otp: code, registrationToken })) onVerified()
  }
  return (
    <Form isSaving={verification.isSaving} onSubmit={(event) => void submit(event)} className="grid gap-4">
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
      <Button type="submit" width="full" isBusy={verification.isSaving}>
        {t('verify.submit')}
      </Button>
    </Form>
  )
}
