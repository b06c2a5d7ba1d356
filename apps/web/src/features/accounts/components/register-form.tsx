import { defaultCountryCode } from '@batti/contracts'
import { useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { isUnanswered } from '#web/lib/api/after-write.ts'
import { faultsOf } from '#web/lib/form/fault-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useLanguageState, useServices } from '#web/lib/services.ts'
import { wasCodeSent } from '#web/features/accounts/api/code-was-sent.ts'
import { registrationFaults, type RegistrationField } from '#web/features/accounts/api/registration-rules.ts'
import { newRegistrationToken, useRegister, type Registration } from '#web/features/accounts/api/register.ts'
import { CountryCodeSelect } from './country-code-select.tsx'
import { PictureField } from '#web/ui/fields/picture-field.tsx'

const empty = { name: '', countryCode: defaultCountryCode, phone: '', email: '', password: '', address: '' } as const
type Draft = {
  [Key in keyof typeof empty]: Key extends 'countryCode' ? Parameters<typeof CountryCodeSelect>[0]['value'] : string
}

/** The sign-up form. It stores the registration token; `onRegistered` leads to the code. */
export function RegisterForm({ onRegistered }: { onRegistered: () => void }) {
  const t = useText()
  const { pending } = useServices()
  const { language } = useLanguageState()
  const register = useRegister()
  const [draft, setDraft] = useState<Draft>(empty)
  const [picture, setPicture] = useState<File | null>(null)
  const [uploaded, setUploaded] = useState(0)
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({})

  /** The token of each address whose code may have been sent by a try without an answer. */
  const tokens = useRef(new Map<string, string>())
  const registration = useSave(
    async (wanted: Registration) => {
      const { email, registrationToken: own } = wanted.input
      try {
        const registrationToken = await register.mutateAsync(wanted)
        if (registrationToken === '') {
          notify.error(t('register.noToken'), 'register')
          return false
        }
        pending.keepRegistrationToken(registrationToken)
        notify.success(t('register.success'), 'register')
      } catch (error) {
        if (isUnanswered(error)) tokens.current.set(email, own)
        if (!tokens.current.has(email) || !wasCodeSent(error)) throw error
        pending.keepRegistrationToken(own)
        notify.info(error.shown, 'register')
      }
      return true
    },
    {
      after: (isRegistered) => isRegistered && onRegistered(),
      failed: t('register.failed'),
      onRefused: (message, error) => {
        setFaults(faultsOf(t, error))
        notify.error(message, 'register')
      }
    }
  )

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found = Object.entries(registrationFaults(draft))
    setFaults(Object.fromEntries(found.map(([field, id]) => [field, t(id)] as const)))
    if (found.length > 0) return
    const registrationToken = tokens.current.get(draft.email) ?? newRegistrationToken()
    await registration.save({
      input: { ...draft, language, registrationToken },
      profileImage: picture,
      onUploadProgress: setUploaded
    })
  }
  const field = (name: RegistrationField) => ({
    name,
    value: draft[name],
    error: faults[name],
    required: true,
    label: t(`register.${name}`),
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setDraft({ ...draft, [name]: event.target.value })
      setFaults({ ...faults, [name]: undefined })
    }
  })

  return (
    <Form isSaving={registration.isSaving} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <TextField {...field('name')} autoComplete="name" maxLength={100} />
      <div className="flex flex-wrap items-start gap-2">
        <CountryCodeSelect value={draft.countryCode} onChange={(countryCode) => setDraft({ ...draft, countryCode })} />
        <TextField
          {...field('phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          className="min-w-0 flex-1 basis-40"
        />
      </div>
      <TextField {...field('email')} type="email" inputMode="email" autoComplete="email" autoCapitalize="none" />
      <PasswordField {...field('password')} autoComplete="new-password" hint={t('register.passwordHint')} />
      <TextField {...field('address')} autoComplete="street-address" maxLength={300} />
      <PictureField
        file={picture}
        error={faults['profileImage']}
        onChange={(file) => {
          setPicture(file)
          setFaults({ ...faults, profileImage: undefined })
        }}
      />
      {registration.isSaving && picture !== null && <Progress value={uploaded} label={t('register.uploading')} />}
      <Button type="submit" width="full" isBusy={registration.isSaving} className="mt-1">
        {t(registration.isSaving ? 'register.submitting' : 'register.submit')}
      </Button>
    </Form>
  )
}
