import type { FleetRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { MessageId } from '#web/i18n/message-id.ts'
import { fleetCounts, type FleetCounts } from '#web/lib/records/fleet-counts.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

interface Figure {
  value: keyof FleetCounts
  label: MessageId
  query: string
}
const figures: readonly Figure[] = [
  { value: '', label: 'fleetPage.all', query: '' },
  { value: 'online', label: 'fleetPage.online', query: 'status=online' },
  { value: 'offline', label: 'fleetPage.offlineBoards', query: 'status=offline' },
  ...(['never-seen', 'silent', 'failing', 'flapping', 'weak', 'outdated'] as const).map((value): Figure => ({
    value,
    label: `healthChip.${value}`,
    query: `health=${value}`
  }))
]

/** The fleet's counts, each with a link to those boards. */
export function HealthStrip({ fleet, listPath }: { fleet: FleetRecord; listPath: string }) {
  const t = useText()
  const intl = useIntl()
  const counts = fleetCounts(fleet)
  return (
    <ul className="grid grid-cols-3 overflow-hidden border-y border-line lg:grid-cols-9 [&>*]:-mr-px [&>*]:-mb-px [&>*]:border-r [&>*]:border-b [&>*]:border-line">
      {figures.map(({ value, label, query }) => (
        <li key={value}>
          <Link
            to={query === '' ? listPath : `${listPath}?${query}`}
            className="block h-full px-4 py-3 -outline-offset-2 hover:bg-well/60"
          >
            <span className="block text-12 text-ink-3">{t(label)}</span>
            <span className="block text-20 font-semibold tabular-nums">{intl.formatNumber(counts[value])}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
