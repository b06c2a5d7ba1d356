import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useServices } from '#web/lib/services.ts'
import { useSave } from '#web/lib/use-save.ts'
import { wasCodeSent } from '#web/features/accounts/api/code-was-sent.ts'
import { useForgotPassword } from '#web/features/accounts/api/forgot-password.ts'
import { readForgotInput } from '#web/features/accounts/api/forgot-rules.ts'

/** Requests a reset code, also another one for the same address. All errors are shown as toasts. */
export function ForgotForm({ onSent }: { onSent: () => void }) {
  const t = useText()
  const { pending } = useServices()
  const forgot = useSave(useForgotPassword().mutateAsync, {
    done: t('forgot.sent'),
    failed: t('forgot.failed'),
    id: 'forgot',
    onRefused: (message, error) => {
      if (!wasCodeSent(error)) return notify.error(message, 'forgot')
      notify.info(message, 'forgot')
      onSent()
    }
  })
  const [identifier, setIdentifier] = useState(() => {
    const before = pending.forgotPassword()
    return typeof before === 'string' ? '' : before.value
  })
  const [isFaulty, setFaulty] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const request = readForgotInput(identifier)
    setFaulty(typeof request === 'string')
    if (typeof request === 'string') return notify.error(t(request), 'forgot')
    if (await forgot.save(request)) onSent()
  }
  return (
    <Form isSaving={forgot.isSaving} onSubmit={(event) => void submit(event)} className="grid gap-4">
      <TextField
        label={t('forgot.identifier')}
        name="identifier"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        value={identifier}
        isWrong={isFaulty}
        onChange={(event) => {
          setIdentifier(event.target.value)
          setFaulty(false)
        }}
      />
      <Button type="submit" width="full" isBusy={forgot.isSaving}>
        {t(forgot.isSaving ? 'forgot.submitting' : 'forgot.submit')}
      </Button>
    </Form>
  )
}
