import type { FleetRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { MessageId } from '#web/i18n/message-id.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

const figures: readonly { count: keyof FleetRecord; label: MessageId; query: string }[] = [
  { count: 'boards', label: 'fleetPage.all', query: '' },
  { count: 'online', label: 'fleetPage.online', query: 'status=online' },
  { count: 'offline', label: 'fleetPage.offlineBoards', query: 'status=offline' },
  { count: 'neverSeen', label: 'healthChip.never-seen', query: 'health=never-seen' },
  { count: 'silent', label: 'healthChip.silent', query: 'health=silent' },
  { count: 'failing', label: 'healthChip.failing', query: 'health=failing' },
  { count: 'flapping', label: 'healthChip.flapping', query: 'health=flapping' },
  { count: 'weakSignal', label: 'healthChip.weak', query: 'health=weak' },
  { count: 'outdated', label: 'healthChip.outdated', query: 'health=outdated' }
]

/** The fleet in figures, each the way to those boards. */
export function HealthStrip({ fleet, listPath }: { fleet: FleetRecord; listPath: string }) {
  const t = useText()
  const intl = useIntl()
  return (
    <ul className="grid grid-cols-3 gap-px border-y border-line bg-line lg:grid-cols-9 [&>*]:bg-card">
      {figures.map(({ count, label, query }) => (
        <li key={count}>
          <Link
            to={query === '' ? listPath : `${listPath}?${query}`}
            className="block h-full px-4 py-3 -outline-offset-2 hover:bg-well/60"
          >
            <span className="block text-12 text-ink-3">{t(label)}</span>
            <span className="block text-20 font-semibold tabular-nums">{intl.formatNumber(Number(fleet[count]))}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
