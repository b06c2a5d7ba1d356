import type { FleetRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { ChartTable } from '#web/ui/charts/chart-table.tsx'
import { HourAxis, useHourName } from '#web/ui/charts/hour-axis.tsx'
import { barsIn } from '#web/lib/charts/bars.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

const box = { width: 240, height: 47, gap: 2 }

/** Commands per hour: grey for all, red for those without an answer. */
export function CommandChart({ hours }: { hours: FleetRecord['commandsByHour'] }) {
  const t = useText()
  const intl = useIntl()
  const nameOf = useHourName()
  const totals = hours.map(({ confirmed, expired }) => confirmed + expired)
  const max = Math.max(0, ...totals)
  const bars = barsIn(totals, { ...box, max })
  const failed = barsIn(
    hours.map(({ expired }) => expired),
    { ...box, max }
  )
  const all = totals.reduce((sum, count) => sum + count, 0)
  const expired = hours.reduce((sum, hour) => sum + hour.expired, 0)
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 pb-2 text-14">
        <span className="text-16 font-semibold">{t('fleetPage.commands')}</span>
        <span className={expired === 0 ? 'text-ink-2' : 'font-medium text-danger'}>
          {t('fleetPage.answered', { all, expired })}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={t('fleetPage.commands')}
        viewBox={`0 0 ${box.width} ${box.height + 1}`}
        preserveAspectRatio="none"
        className="block h-16 w-full"
      >
        {bars.map((bar, index) => (
          <rect key={hours[index]?.at} {...bar} height={bar.height + 1} className="fill-edge/50" />
        ))}
        {failed.map((bar, index) => (
          <rect key={hours[index]?.at} {...bar} className="fill-danger" />
        ))}
      </svg>
      <HourAxis hours={hours} />
      <ChartTable
        heads={[t('fleetPage.confirmed'), t('fleetPage.expired'), t('fleetPage.offline'), t('fleetPage.p95')]}
        rows={hours.map(({ at, confirmed, expired: lost, offline, p95Ms }) => ({
          name: nameOf(at),
          values: [
            intl.formatNumber(confirmed),
            intl.formatNumber(lost),
            intl.formatNumber(offline),
            p95Ms === null ? '–' : `${intl.formatNumber(p95Ms)} ms`
          ]
        }))}
      />
    </figure>
  )
}
