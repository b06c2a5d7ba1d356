import type { SwitchRecord } from '@batti/contracts'
import { ToggleRight } from 'lucide-react'
import { lazy, memo, Suspense, useDeferredValue, useState } from 'react'
import { useIntl } from 'react-intl'
import { Chip } from '#web/ui/chip.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { NoMatch } from '#web/ui/no-match.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Page, Section } from '#web/ui/page.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useOnSince } from '#web/features/on-times/use-on-since.ts'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { SwitchGrid, SwitchGridLoading } from '#web/features/switches/components/switch-grid.tsx'
import { filterSwitches, type SwitchFilter } from '#web/features/switches/filter-switches.ts'
import { listFailed } from '#web/features/switches/list-failed.ts'
import { groupBy } from '#web/lib/group-by.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { phoneScreen, useMedia } from '#web/lib/use-media.ts'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'
import { useFollowBoards } from '#web/routes/parts/use-follow-boards.ts'

const SwitchRows = lazy(async () => ({ default: (await import('#web/routes/parts/switch-rows.tsx')).SwitchRows }))

/** Above this number a phone shows rows, as cards would need too much scrolling. */
const cardsOnPhone = 24

/** /user/switches. */
export function Screen() {
  const t = useText()
  const switches = useSwitches()
  useFollowBoards()
  return (
    <Page
      title={t('switches.title')}
      aside={switches.data !== undefined && t('switches.count', { count: switches.data.length })}
    >
      <QueryView
        query={switches}
        failed={listFailed(t, switches.error)}
        loading={<SwitchGridLoading columns="fitting" count={12} />}
        isEmpty={(records) => records.length === 0}
        empty={
          <EmptyState
            drawing={<ToggleRight size={40} strokeWidth={1.5} />}
            title={t('switches.none')}
            body={t('switches.noneHint')}
            action={
              <LinkButton to="/user/devices/new" reloadDocument>
                {t('devices.add')}
              </LinkButton>
            }
          />
        }
      >
        {(records) => <AllSwitches records={records} />}
      </QueryView>
    </Page>
  )
}

/** Groups switches by room in the order of the rooms' first switches; those without a room are last. */
function byRoom(records: readonly SwitchRecord[]): [id: string, own: readonly SwitchRecord[]][] {
  const rooms = [...groupBy(records, ({ roomId }) => roomId?._id ?? '')]
  return rooms.toSorted(([a], [b]) => Number(a === '') - Number(b === ''))
}

const filters = ['all', 'on', 'offline'] as const satisfies SwitchFilter[]

function AllSwitches({ records }: { records: readonly SwitchRecord[] }) {
  const t = useText()
  const [wanted, setWanted] = useState<Wanted>(everything)
  // A key or a chip is shown at once, even if its hundreds of switches take longer.
  const found = useDeferredValue(wanted)
  return (
    <>
      <div className="mb-5 flex flex-wrap items-end gap-3">
        <SearchField
          label={t('switches.search')}
          value={wanted.text}
          onChange={(text) => setWanted({ ...wanted, text })}
        />
        <div className="flex flex-wrap gap-2 py-0.5">
          {filters.map((each) => (
            <Chip key={each} isOn={each === wanted.filter} onClick={() => setWanted({ ...wanted, filter: each })}>
              {t(`switches.filter.${each}`)}
            </Chip>
          ))}
        </div>
      </div>
      <FoundSwitches records={records} {...found} onChange={setWanted} />
    </>
  )
}

interface Wanted {
  text: string
  filter: SwitchFilter
}
const everything: Wanted = { text: '', filter: 'all' }

type FoundSwitchesProps = Wanted & { records: readonly SwitchRecord[]; onChange: (wanted: Wanted) => void }

/** The switches that match. Not rendered for a key whose turn is later. */
const FoundSwitches = memo(function FoundSwitches({ records, text, filter, onChange }: FoundSwitchesProps) {
  const t = useText()
  const intl = useIntl()
  const addSchedule = useAddSchedule()
  const since = useOnSince()
  const macs = [...new Set(records.map(({ deviceMac }) => deviceMac))]
  const lives = useLiveStates(macs)
  const shown = filterSwitches(records, { text, filter, liveOf: (mac) => lives[macs.indexOf(mac)], t })
  const found = shown.length === 0 ? t('switches.noMatch') : t('switches.count', { count: shown.length })
  const isRows = useMedia(phoneScreen) && records.length > cardsOnPhone
  return (
    <>
      {/* Who only hears the page types a word, and the list below changes. */}
      <VisuallyHidden live="polite">{text === '' && filter === 'all' ? '' : found}</VisuallyHidden>
      {shown.length === 0 ? (
        <NoMatch hint={t('switches.noMatchHint')} onShowAll={() => onChange(everything)} />
      ) : isRows ? (
        <Suspense fallback={<SwitchGridLoading columns="fitting" count={12} />}>
          <SwitchRows
            rooms={byRoom(shown)}
            isWhole={shown.length === records.length}
            onAddSchedule={addSchedule.open}
          />
        </Suspense>
      ) : (
        <div className="grid gap-7">
          {byRoom(shown).map(([id, own]) => {
            const room = own[0]?.roomId?.roomName ?? t('switch.unknownRoom')
            return (
              <Section
                key={id}
                title={room}
                action={<span className="text-14 text-ink-3">{intl.formatNumber(own.length)}</span>}
              >
                <SwitchGrid
                  columns="fitting"
                  command="mac"
                  heading="h3"
                  label={room}
                  records={own}
                  since={since}
                  onAddSchedule={addSchedule.open}
                />
              </Section>
            )
          })}
        </div>
      )}
      {addSchedule.dialog}
    </>
  )
})
