import { useIntl } from 'react-intl'
import { timeOfDay } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** Formats the time of an hour for a chart's axis and table. */
export function useHourName(): (at: number | string) => string {
  const intl = useIntl()
  return (at) => timeOfDay(intl, at)
}

/** Four times of the day and "now". */
export function HourAxis({ hours }: { hours: readonly { at: string }[] }) {
  const t = useText()
  const nameOf = useHourName()
  return (
    <div aria-hidden="true" className="@container">
      {/* With large letters every other label is hidden. */}
      <div className="flex justify-between pt-1 text-12 text-ink-3 @max-[15rem]:[&>:nth-child(even)]:hidden">
        {hours
          .filter((_, index) => index % 6 === 0)
          .map(({ at }) => (
            <span key={at}>{nameOf(at)}</span>
          ))}
        <span>{t('chart.now')}</span>
      </div>
    </div>
  )
}
