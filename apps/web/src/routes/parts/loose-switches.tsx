import type { SwitchRecord } from '@batti/contracts'
import { Link } from 'react-router-dom'
import { moreLinkClass, Section } from '#web/ui/page.tsx'
import { useOnSince } from '#web/features/on-times/use-on-since.ts'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { SwitchGrid } from '#web/features/switches/components/switch-grid.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

/** Two rows of cards on a desktop, three on a phone. */
const shownMost = 6

/** Switches that are neither in a room nor favourites, so that Home shows lamps before anything was assigned. */
export function LooseSwitches({ onAddSchedule }: { onAddSchedule: (record: SwitchRecord) => void }) {
  const t = useText()
  const switches = useSwitches()
  const since = useOnSince()
  const loose = switches.data?.filter(({ roomId, isFavorite }) => !roomId && !isFavorite) ?? []
  if (loose.length === 0) return null
  return (
    <Section
      title={t('home.loose')}
      action={
        <Link to="/user/switches" className={moreLinkClass}>
          {t('switches.title')}
        </Link>
      }
    >
      <SwitchGrid
        columns="home"
        heading="h3"
        command="id"
        label={t('home.loose')}
        records={loose.slice(0, shownMost)}
        since={since}
        onAddSchedule={onAddSchedule}
      />
    </Section>
  )
}
