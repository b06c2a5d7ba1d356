import type { ScheduleRecord } from '@batti/contracts'
import { memo, useDeferredValue, useEffect, useMemo, useRef, useState, type ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { NoMatch } from '#web/ui/no-match.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useDeleteSchedule, useToggleSchedule } from '#web/features/schedules/api/change-schedule.ts'
import { findSchedules } from '#web/features/schedules/find-schedules.ts'
import { keptOrder } from '#web/features/schedules/schedule-order.ts'
import { useDroppedEnd } from '#web/lib/records/use-dropped-end.ts'
import { scheduleTitle } from '#web/lib/records/schedule-title.ts'
import { ScheduleCard } from './schedule-card.tsx'

/** More than this number has a search. */
const searchedFrom = 12

/** Cards that are drawn at once. Several hundred make each press slow on an old phone. */
const cardsAtOnce = 48

/** Schedules as cards with their actions. */
export function ScheduleList({
  schedules,
  onEdit
}: {
  schedules: readonly ScheduleRecord[]
  onEdit: (schedule: ScheduleRecord) => void
}) {
  const t = useText()
  const deletion = useDeleteSchedule()
  const droppedEnd = useDroppedEnd()
  const [places, setPlaces] = useState<readonly string[]>([])
  const ordered = useMemo(() => keptOrder(places, schedules), [places, schedules])
  if (ordered.length !== places.length || ordered.some(({ _id }, place) => _id !== places[place]))
    setPlaces(ordered.map(({ _id }) => _id))
  const [toDelete, setToDelete] = useState<ScheduleRecord | null>(null)
  const [text, setText] = useState('')
  // A key is shown at once, even if the cards take longer.
  const found = useDeferredValue(text)
  // When only few are left, the field goes and so does its filter.
  const isMany = ordered.length > searchedFrom
  return (
    <>
      {isMany && (
        <div className="mb-5">
          <SearchField label={t('scheduleList.search')} value={text} onChange={setText} />
        </div>
      )}
      <FoundSchedules
        schedules={ordered}
        text={isMany ? found : ''}
        onShowAll={setText}
        onEdit={onEdit}
        onDelete={setToDelete}
      />
      {toDelete !== null && (
        <DeleteDialog
          title={t('schedules.deleteTitle', { name: scheduleTitle(t, toDelete) })}
          body={[t('schedules.deleteBody'), droppedEnd(toDelete)].filter((sentence) => sentence !== null).join(' ')}
          confirmLabel={t('schedules.deleteDo')}
          done={t('schedules.deleted')}
          failed={t('schedules.deleteFailed')}
          remove={() => deletion.mutateAsync(toDelete._id)}
          onClose={() => setToDelete(null)}
        />
      )}
    </>
  )
}

interface FoundSchedulesProps {
  schedules: readonly ScheduleRecord[]
  text: string
  /** Called with the empty text. */
  onShowAll: (text: '') => void
  onEdit: (schedule: ScheduleRecord) => void
  onDelete: (schedule: ScheduleRecord) => void
}

/** The schedules that match. Not rendered for a key whose turn is later. */
const FoundSchedules = memo(function FoundSchedules({
  schedules,
  text,
  onShowAll,
  onEdit,
  onDelete
}: FoundSchedulesProps) {
  const t = useText()
  const [limit, setLimit] = useState(cardsAtOnce)
  const firstNew = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (limit > cardsAtOnce) firstNew.current?.focus({ preventScroll: true })
  }, [limit])
  const shown = text === '' ? schedules : findSchedules(schedules, text, t)
  return (
    <>
      <VisuallyHidden live="polite">
        {text !== '' && (shown.length === 0 ? t('switches.noMatch') : t('scheduleList.count', { count: shown.length }))}
      </VisuallyHidden>
      {shown.length === 0 && <NoMatch hint={t('scheduleList.noMatchHint')} onShowAll={() => onShowAll('')} />}
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
        {shown.slice(0, limit).map((schedule, place) => (
          // After "Show more" the keyboard continues at the first of the new cards.
          <li
            key={schedule._id}
            {...(place > 0 && place === limit - cardsAtOnce && { ref: firstNew, tabIndex: -1 })}
            className="grid grid-cols-1 rounded-card"
          >
            <FlippedCard schedule={schedule} onEdit={() => onEdit(schedule)} onDelete={() => onDelete(schedule)} />
          </li>
        ))}
      </ul>
      {shown.length > limit && (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button variant="quiet" onClick={() => setLimit(limit + cardsAtOnce)}>
            {t('scheduleList.more')}
          </Button>
          <p className="text-14 text-ink-3">{t('scheduleList.shown', { shown: limit, total: shown.length })}</p>
        </div>
      )}
    </>
  )
})

/** Each card has its own pending state, as two changes can run at once. */
function FlippedCard(props: Omit<ComponentProps<typeof ScheduleCard>, 'isFlipping' | 'onFlip'>) {
  const t = useText()
  const done = useDroppedEnd()(props.schedule)
  const flip = useSave(useToggleSchedule().mutateAsync, {
    ...(done !== null && { done }),
    failed: t('schedules.saveFailed')
  })
  const { _id: id, isActive } = props.schedule
  return (
    <ScheduleCard {...props} isFlipping={flip.isSaving} onFlip={() => void flip.save({ id, isActive: !isActive })} />
  )
}
