import { useIntl } from 'react-intl'
import { durationText } from '#web/lib/i18n/duration-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import { wallDate } from '#web/lib/i18n/wall-clock.ts'
import type { OnTime } from '#web/features/on-times/api/list-on-times.ts'
import { weekSeconds } from '#web/features/on-times/week.ts'

const cellClass = 'px-3 py-2.5 text-right whitespace-nowrap'

/** The values of the bars as a table. */
export function OnTimeTable({ switches, caption }: { switches: readonly OnTime[]; caption: string }) {
  const t = useText()
  const intl = useIntl()
  const dates = switches[0]?.days.map(({ date }) => date) ?? []
  return (
    <section
      aria-label={caption}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="max-h-[70dvh] overflow-auto rounded-2xl border border-line"
    >
      <table className="w-full border-collapse text-14">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-10 bg-raised text-12 text-ink-2">
          <tr>
            <th scope="col" className="sticky left-0 bg-raised px-3 py-2.5 text-left font-medium">
              {t('onTime.switch')}
            </th>
            {dates.map((date) => (
              <th key={date} scope="col" className={`${cellClass} font-medium`}>
                {wallDate(intl, date)}
              </th>
            ))}
            <th scope="col" className={`${cellClass} font-medium`}>
              {t('onTime.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {switches.map((each) => (
            <tr key={each.switchId} className="border-t border-line">
              <th scope="row" className="sticky left-0 max-w-44 truncate bg-card px-3 py-2.5 text-left font-medium">
                {switchWords(t, each.switchName)}
              </th>
              {each.days.map(({ date, seconds }) => (
                <td key={date} className={cellClass}>
                  {seconds === 0 ? '–' : durationText(intl, seconds)}
                </td>
              ))}
              <td className={`${cellClass} font-medium`}>
                {weekSeconds(each) === 0 ? '–' : durationText(intl, weekSeconds(each))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
