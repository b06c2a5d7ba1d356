import type { UserRecord } from '@batti/contracts'
import { useEffect, useReducer, useRef, useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { errorMessage, isLost } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useServices } from '#web/lib/services.ts'
import { successShownMs } from '#web/features/accounts/api/sign-out-after.ts'
import { isContactVerified, useIsVerified } from '#web/features/accounts/api/is-verified.ts'
import { useRequestCode, type Contact } from '#web/features/accounts/api/request-code.ts'
import { useVerifyContact } from '#web/features/accounts/api/verify-contact.ts'
import { nextVerification, verificationStart } from '#web/features/accounts/verification-machine.ts'
import { FormMessage } from './form-message.tsx'
import { SuccessMessage } from './success-message.tsx'

const texts = {
  email: { intro: 'contact.emailIntro', sendFailed: 'contact.emailSendFailed', done: 'contact.emailDone' },
  phone: { intro: 'contact.phoneIntro', sendFailed: 'contact.phoneSendFailed', done: 'contact.phoneDone' }
} as const

/** The server's own message. */
const saidBy = (error: unknown) => (error instanceof Error ? error.message : '')

/**
 * Step 1 sends a code, step 2 checks it. `onVerified` is called after a second and a half of a success message, also where
 * the contact is verified elsewhere meanwhile, as by the link on another phone.
 */
export function VerifyContactPanel({
  contact,
  account,
  onVerified
}: {
  contact: Contact
  account: UserRecord
  onVerified: () => void
}) {
  const t = useText()
  const { clock } = useServices()
  const request = useRequestCode(contact)
  const verification = useVerifyContact(contact)
  const askIfVerified = useIsVerified(contact)
  const isVerified = isContactVerified(account, contact)
  const [state, dispatch] = useReducer(nextVerification, verificationStart)
  const [code, setCode] = useState('')
  const text = texts[contact]
  const codeInput = useRef<HTMLInputElement>(null)
  const sendButton = useRef<HTMLButtonElement>(null)
  const shownStep = useRef(state.step)
  // The control that had the focus was removed with its step.
  useEffect(() => {
    if (shownStep.current !== state.step) (codeInput.current ?? sendButton.current)?.focus()
    shownStep.current = state.step
  }, [state.step])
  useEffect(() => {
    if (isVerified) dispatch({ type: 'verified' })
  }, [isVerified])
  useEffect(
    () => (state.step === 'done' ? clock.after(successShownMs, onVerified) : undefined),
    [state.step, clock, onVerified]
  )
  if (state.step === 'done') return <SuccessMessage text={t(text.done)} />

  async function send() {
    if (state.step === 'done' || state.isBusy) return
    dispatch({ type: 'asked' })
    try {
      await request.mutateAsync()
      setCode('')
      dispatch({ type: 'sent', message: t('contact.sent') })
    } catch (error) {
      await fail('send-failed', error, t(text.sendFailed))
    }
  }
  /** An earlier code may have been accepted, and the answer lost. */
  async function fail(type: 'send-failed' | 'verify-failed', error: unknown, fallback: string) {
    if (await askIfVerified()) return dispatch({ type: 'verified' })
    if (isLost(error)) notify.info(t('common.noAnswer'))
    dispatch({ type, message: errorMessage(error, fallback), said: saidBy(error) })
  }
  async function verify(event: FormEvent) {
    event.preventDefault()
    if (state.step === 'done' || state.isBusy) return
    if (code.trim() === '') return dispatch({ type: 'code-missing', message: t('contact.codeRequired') })
    dispatch({ type: 'submitted' })
    try {
      await verification.mutateAsync(code.trim())
      dispatch({ type: 'verified' })
    } catch (error) {
      await fail('verify-failed', error, t('contact.failed'))
    }
  }
  const message = state.message !== null && <FormMessage isFault={state.isFault} text={state.message} />
  if (state.step === 'send') {
    return (
      <div className="grid gap-4 pt-2">
        <p className="text-ink-2 wrap-anywhere">{t(text.intro, { address: account[contact] ?? '' })}</p>
        {message}
        <Button ref={sendButton} width="full" isBusy={state.isBusy} onClick={() => void send()}>
          {t(state.isBusy ? 'contact.sending' : 'contact.send')}
        </Button>
      </div>
    )
  }
  return (
    <Form isSaving={state.isBusy} onSubmit={(event) => void verify(event)} className="grid gap-4 pt-2">
      {message}
      <TextField
        ref={codeInput}
        label={t('contact.code')}
        name="otp"
        required
        isWrong={state.isFault}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={16}
        value={code}
        onChange={(event) => {
          setCode(event.target.value)
          dispatch({ type: 'typed' })
        }}
      />
      <Button type="submit" width="full" isBusy={state.isBusy}>
        {t(state.isBusy ? 'contact.verifying' : 'contact.verify')}
      </Button>
      <Button variant="ghost" width="full" isLocked={state.isBusy} onClick={() => void send()}>
        {t('contact.another')}
      </Button>
    </Form>
  )
}
