import { compareVersions, type FirmwareChoice } from '@batti/contracts'
import { useId } from 'react'
import { useIntl } from 'react-intl'
import { Badge } from '#web/ui/badge.tsx'
import { sizeText } from '#web/lib/i18n/size-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

export interface ChoiceListProps {
  choices: readonly FirmwareChoice[]
  /** The board's present version. */
  running: string
  value: string | null
  onChange: (filename: string) => void
}

/** The images that a board can install, newest first; its present one cannot be chosen. */
export function ChoiceList({ choices, running, value, onChange }: ChoiceListProps) {
  const t = useText()
  const intl = useIntl()
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-ink-2">{t('update.version')}</legend>
      <ul className="grid gap-2">
        {choices.map((choice, index) => {
          const isInstalled = choice.installed === true
          const mark = isInstalled
            ? t('update.installed')
            : index === 0
              ? t('update.newest')
              : compareVersions(choice.version, running) < 0
                ? t('update.older')
                : null
          return (
            <li key={choice.filename}>
              <label className="grid min-h-14 cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 rounded-control border border-edge px-3.5 py-2 has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-not-allowed has-disabled:opacity-60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
                <input
                  type="radio"
                  name={name}
                  value={choice.filename}
                  checked={choice.filename === value}
                  disabled={isInstalled}
                  onChange={() => onChange(choice.filename)}
                  className="row-span-2 size-4 accent-accent"
                />
                <span className="flex flex-wrap items-baseline gap-x-2 text-16 font-semibold">
                  {choice.version}
                  {mark !== null && <Badge>{mark}</Badge>}
                </span>
                <span className="text-12 wrap-anywhere text-ink-3">
                  {choice.filename} · {sizeText(intl, choice.size)} ·{' '}
                  {t(choice.signed ? 'update.signed' : 'update.notSigned')} ·{' '}
                  {intl.formatDate(choice.createdAt, { dateStyle: 'medium' })}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
