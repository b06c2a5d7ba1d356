import { isLoopback } from '@batti/kit/address'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { SetupDefaults } from '#web/features/pairing/setup-fields.ts'

/** Side by side; stacked if large letters leave no room. */
const hostClass = 'min-w-0 grow-3 basis-36'
const portClass = 'min-w-0 grow basis-24'

/** Where a board finds its server, and its time zone: known in advance, except on an address that boards cannot reach. */
export function ServerFields({ board, defaults }: { board: string; defaults: SetupDefaults }) {
  const t = useText()
  const [serverUrl, setServerUrl] = useState(defaults.serverUrl)
  return (
    <details
      className="group rounded-control border border-line"
      // Of the default alone: it stays open while the address is typed.
      open={isLoopback(defaults.serverUrl) && !isLoopback(new URL(`http://${board}`).hostname)}
    >
      <summary className="flex min-h-11 cursor-pointer items-center rounded-control px-3.5 text-14 font-medium text-ink-2">
        <span className="flex-1">{t('pairing.advanced')}</span>
        <ChevronDown aria-hidden="true" size={16} className="transition-transform duration-160 group-open:rotate-180" />
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
        <TextField label={t('pairing.timezone')} name="timezone" spellCheck={false} defaultValue={defaults.timezone} />
      </div>
    </details>
  )
}
