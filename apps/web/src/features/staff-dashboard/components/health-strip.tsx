import type { FleetRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { MessageId } from '#web/i18n/message-id.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

interface Figure {
  id: string
  of: (fleet: FleetRecord) => number
  label: MessageId
  query: string
}
const figures: readonly Figure[] = [
  { id: 'boards', of: ({ boards }) => boards, label: 'fleetPage.all', query: '' },
  { id: 'online', of: ({ online }) => online, label: 'fleetPage.online', query: 'status=online' },
  // As the list means it, where the link leads: what was never seen is not online.
  {
    id: 'offline',
    of: ({ boards, online }) => boards - online,
    label: 'fleetPage.offlineBoards',
    query: 'status=offline'
  },
  { id: 'neverSeen', of: ({ neverSeen }) => neverSeen, label: 'healthChip.never-seen', query: 'health=never-seen' },
  { id: 'silent', of: ({ silent }) => silent, label: 'healthChip.silent', query: 'health=silent' },
  { id: 'failing', of: ({ failing }) => failing, label: 'healthChip.failing', query: 'health=failing' },
  { id: 'flapping', of: ({ flapping }) => flapping, label: 'healthChip.flapping', query: 'health=flapping' },
  { id: 'weakSignal', of: ({ weakSignal }) => weakSignal, label: 'healthChip.weak', query: 'health=weak' },
  { id: 'outdated', of: ({ outdated }) => outdated, label: 'healthChip.outdated', query: 'health=outdated' }
]

/** The fleet in figures, each the way to those boards. */
export function HealthStrip({ fleet, listPath }: { fleet: FleetRecord; listPath: string }) {
  const t = useText()
  const intl = useIntl()
  return (
    <ul className="grid grid-cols-3 gap-px border-y border-line bg-line lg:grid-cols-9 [&>*]:bg-card">
      {figures.map(({ id, of, label, query }) => (
        <li key={id}>
          <Link
            to={query === '' ? listPath : `${listPath}?${query}`}
            className="block h-full px-4 py-3 -outline-offset-2 hover:bg-well/60"
          >
            <span className="block text-12 text-ink-3">{t(label)}</span>
            <span className="block text-20 font-semibold tabular-nums">{intl.formatNumber(of(fleet))}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
