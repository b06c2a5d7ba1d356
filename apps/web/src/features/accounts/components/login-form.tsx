import { defaultCountryCode } from '@batti/contracts'
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useLogin } from '#web/features/accounts/api/login.ts'
import { loginFault, looksLikePhone } from '#web/features/accounts/api/login-rules.ts'
import { FormMessage } from './form-message.tsx'

// Loaded on demand: its listbox is a third of the page's code, and most people log in by e-mail.
const CountryCodeSelect = lazy(async () => ({ default: (await import('./country-code-select.tsx')).CountryCodeSelect }))

/** One field for e-mail or phone, and a password; an error is shown above the button until somebody types. */
export function LoginForm({
  forgot,
  onSend,
  onSignedIn
}: {
  forgot?: React.ReactNode
  /** Called when the password was sent. Checking it takes the server some time, which can be used for preloading. */
  onSend?: () => void
  onSignedIn: () => void
}) {
  const t = useText()
  const [identifier, setIdentifier] = useState('')
  const [password, setPassword] = useState('')
  const [countryCode, setCountryCode] =
    useState<React.ComponentProps<typeof CountryCodeSelect>['value']>(defaultCountryCode)
  const [fault, setFault] = useState<string | null>(null)
  const [wrongField, setWrongField] = useState<'identifier' | 'password' | null>(null)

  const login = useSave(useLogin().mutateAsync, { failed: t('login.failed'), isRead: true, onRefused: setFault })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const input = { identifier, countryCode, password }
    const wrong = loginFault(input)
    setFault(wrong === null ? null : t(wrong))
    setWrongField(wrong === null ? null : wrong === 'login.passwordShort' ? 'password' : 'identifier')
    if (wrong !== null) return
    const saved = login.save(input)
    onSend?.()
    if (await saved) onSignedIn()
  }
  const type = (set: (value: string) => void) => (event: React.ChangeEvent<HTMLInputElement>) => {
    set(event.target.value)
    setFault(null)
    setWrongField(null)
  }

  return (
    <Form isSaving={login.isSaving} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start gap-2">
        {looksLikePhone(identifier) && (
          <Suspense>
            <CountryCodeSelect value={countryCode} onChange={setCountryCode} />
          </Suspense>
        )}
        <TextField
          label={t('login.identifier')}
          name="identifier"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="email"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has no other content
          autoFocus
          isWrong={wrongField === 'identifier'}
          value={identifier}
          onChange={type(setIdentifier)}
          className="min-w-0 flex-1 basis-40"
        />
      </div>
      <div className="grid gap-1">
        <PasswordField
          label={t('login.password')}
          name="password"
          autoComplete="current-password"
          isWrong={wrongField === 'password'}
          value={password}
          onChange={type(setPassword)}
        />
        {forgot}
      </div>
      {fault !== null && <FormMessage isFault text={fault} />}
      <Button type="submit" width="full" isBusy={login.isSaving}>
        {t('login.submit')}
      </Button>
    </Form>
  )
}
