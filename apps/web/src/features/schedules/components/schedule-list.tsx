import type { ScheduleRecord } from '@batti/contracts'
import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useDeleteSchedule, useToggleSchedule } from '#web/features/schedules/api/change-schedule.ts'
import { inOrder } from '#web/features/schedules/schedule-order.ts'
import { scheduleTitle } from '#web/features/schedules/schedule-title.ts'
import { ScheduleCard } from './schedule-card.tsx'

/** Schedules as cards, with what can be done to each. */
export function ScheduleList({
  schedules,
  onEdit
}: {
  schedules: readonly ScheduleRecord[]
  onEdit: (schedule: ScheduleRecord) => void
}) {
  const t = useText()
  const flip = useToggleSchedule()
  const deletion = useDeleteSchedule()
  const [toDelete, setToDelete] = useState<ScheduleRecord | null>(null)

  async function attempt(change: () => Promise<unknown>, failed: string) {
    try {
      await change()
      return true
    } catch (error) {
      const message = errorMessage(error, failed)
      if (message !== null) notify.error(message)
      return false
    }
  }
  async function remove(schedule: ScheduleRecord) {
    if (await attempt(() => deletion.mutateAsync(schedule._id), t('schedules.deleteFailed')))
      notify.success(t('schedules.deleted'))
    setToDelete(null)
  }
  return (
    <>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
        {inOrder(schedules).map((schedule) => (
          <li key={schedule._id} className="grid grid-cols-1">
            <ScheduleCard
              schedule={schedule}
              isFlipping={flip.isPending && flip.variables === schedule._id}
              onFlip={() => void attempt(() => flip.mutateAsync(schedule._id), t('schedules.saveFailed'))}
              onEdit={() => onEdit(schedule)}
              onDelete={() => setToDelete(schedule)}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={toDelete !== null}
        tone="danger"
        title={t('schedules.deleteTitle', { name: toDelete === null ? '' : scheduleTitle(t, toDelete) })}
        body={t('schedules.deleteBody')}
        confirmLabel={t('schedules.deleteDo')}
        isBusy={deletion.isPending}
        onCancel={() => setToDelete(null)}
        onConfirm={() => toDelete !== null && void remove(toDelete)}
      />
    </>
  )
}
