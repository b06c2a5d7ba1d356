import { latinDigits, setupConfigPath, setupForm } from '@batti/contracts'
import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ColourField } from '#web/ui/fields/colour-field.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { faultWords } from '#web/lib/form/fault-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useKeepTyped } from '#web/lib/use-keep-typed.ts'
import type { SetupDefaults } from '#web/features/pairing/setup-fields.ts'
import type { TypedDraft } from '#web/features/pairing/typed-draft.ts'
import { ServerFields } from './server-fields.tsx'

export interface SetupFormProps {
  id: string
  /** `HOST` or `HOST:PORT` in the local network. */
  board: string
  defaults: SetupDefaults
  /** Input from before the page was reloaded with this board's address. */
  draft: TypedDraft | null
  /** `<userId>.<CODE>`; undefined until the code is created. */
  userId: string | undefined
  isSent: boolean
  onSent: () => void
}

const wifiFields = ['ssid', 'password'] as const
type Faults = Partial<Record<(typeof wifiFields)[number], string>>
const wifiRules = setupForm.pick({ ssid: true, password: true })

/** Returns the errors of the Wi-Fi's name and password, by field. */
function faultsOf(form: FormData): Faults {
  const password = form.get('password')
  // The browser sends spaces as they are; a password of spaces only counts as empty.
  const given = typeof password === 'string' && password.trim() === '' ? '' : password
  const issues = wifiRules.safeParse({ ssid: form.get('ssid'), password: given }).error?.issues ?? []
  const faults: Faults = {}
  for (const { path, message } of issues) {
    const name = wifiFields.find((field) => field === path[0])
    if (name !== undefined) faults[name] ??= message
  }
  return faults
}

/**
 * A real form that the browser posts to the board itself, in a new tab, so that the Wi-Fi password goes nowhere else.
 * It is only in the input, not in the app's state, its storage or an address.
 */
export function SetupForm({ id, board, defaults, draft, userId, isSent, onSent }: SetupFormProps) {
  const t = useText()
  const [colour, setColour] = useState(draft?.activeColor ?? defaults.activeColor)
  const [faults, setFaults] = useState<Faults>({})
  const [isTyped, setTyped] = useState(false)
  useKeepTyped(isTyped)

  function submit(event: FormEvent<HTMLFormElement>) {
    const form = event.currentTarget
    const found = faultsOf(new FormData(form))
    setFaults(found)
    const first = wifiFields.find((name) => found[name] !== undefined)
    if (first !== undefined) {
      event.preventDefault()
      const field = form.elements.namedItem(first)
      const isMissing = field instanceof HTMLInputElement && field.value.trim() === ''
      return notify.error(isMissing ? t('pairing.missing') : faultWords(t, found[first] ?? ''), 'setup')
    }
    if (userId === undefined) return event.preventDefault()
    for (const name of ['serverPort', 'mqttServerPort']) {
      const field = form.elements.namedItem(name)
      if (field instanceof HTMLInputElement) field.value = latinDigits(field.value)
    }
    onSent()
  }
  return (
    <Form
      id={id}
      isSaving={false}
      action={`http://${board}${setupConfigPath}`}
      method="post"
      target="_blank"
      rel="noopener"
      autoComplete="off"
      onInput={() => setTyped(true)}
      onSubmit={submit}
      className="grid grid-cols-1 gap-4"
    >
      <TextField
        label={t('pairing.ssid')}
        name="ssid"
        maxLength={32}
        defaultValue={draft?.ssid}
        error={faults.ssid && faultWords(t, faults.ssid)}
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="off"
      />
      <PasswordField
        label={t('pairing.password')}
        name="password"
        maxLength={64}
        defaultValue={draft?.password}
        error={faults.password && faultWords(t, faults.password)}
        hint={t('pairing.passwordHint')}
        autoComplete="off"
      />
      <ColourField label={t('pairing.colour')} value={colour} onChange={setColour} />
      <input type="hidden" name="activeColor" value={colour} />
      <input type="hidden" name="userId" value={userId ?? ''} />
      <input type="hidden" name="deviceId" value="" />
      <input type="hidden" name="otherUrl" value={defaults.otherUrl} />
      <ServerFields board={board} defaults={defaults} />
      <div className="grid gap-2">
        <Button type="submit" width="full" variant={isSent ? 'quiet' : 'primary'} disabled={userId === undefined}>
          {t(isSent ? 'pairing.submitAgain' : 'pairing.submit')}
        </Button>
        <p className="text-center text-14 text-ink-3">{t('pairing.opensTab')}</p>
      </div>
    </Form>
  )
}
