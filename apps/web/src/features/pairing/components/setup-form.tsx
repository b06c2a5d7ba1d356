import { setupConfigPath, setupForm } from '@batti/contracts'
import { isLoopback } from '@batti/kit/address'
import { ChevronDown } from 'lucide-react'
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

/** Side by side; stacked if large letters leave no room. */
const hostClass = 'min-w-0 grow-3 basis-36'
const portClass = 'min-w-0 grow basis-24'

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
  const [serverUrl, setServerUrl] = useState(defaults.serverUrl)
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
      <details
        className="group rounded-control border border-line"
        // Of the default alone: it stays open while the address is typed.
        open={isLoopback(defaults.serverUrl) && !isLoopback(new URL(`http://${board}`).hostname)}
      >
        <summary className="flex min-h-11 cursor-pointer items-center rounded-control px-3.5 text-14 font-medium text-ink-2">
          <span className="flex-1">{t('pairing.advanced')}</span>
          <ChevronDown
            aria-hidden="true"
            size={16}
            className="transition-transform duration-160 group-open:rotate-180"
          />
        </summary>
        <div className="grid grid-cols-1 gap-4 p-3.5 pt-1">
          {isLoopback(serverUrl) && <p className="text-14 text-warn">{t('pairing.loopback', { host: serverUrl })}</p>}
          <div className="flex flex-wrap gap-2">
            <TextField
              label={t('pairing.serverUrl')}
              name="serverUrl"
              className={hostClass}
              value={serverUrl}
              onChange={(event) => setServerUrl(event.target.value)}
              spellCheck={false}
            />
            <TextField
              label={t('pairing.serverPort')}
              name="serverPort"
              className={portClass}
              inputMode="numeric"
              defaultValue={defaults.serverPort}
            />
          </div>
          <div className="flex flex-wrap gap-2">
            <TextField
              label={t('pairing.mqttServerUrl')}
              name="mqttServerUrl"
              className={hostClass}
              spellCheck={false}
              defaultValue={defaults.mqttServerUrl}
            />
            <TextField
              label={t('pairing.mqttServerPort')}
              name="mqttServerPort"
              className={portClass}
              inputMode="numeric"
              defaultValue={defaults.mqttServerPort}
            />
          </div>
          <TextField
            label={t('pairing.timezone')}
            name="timezone"
            spellCheck={false}
            defaultValue={defaults.timezone}
          />
        </div>
      </details>
      <div className="grid gap-2">
        <Button type="submit" width="full" variant={isSent ? 'quiet' : 'primary'} disabled={userId === undefined}>
          {t(isSent ? 'pairing.submitAgain' : 'pairing.submit')}
        </Button>
        <p className="text-center text-14 text-ink-3">{t('pairing.opensTab')}</p>
      </div>
    </Form>
  )
}
