import { deleteSchedule, toggleSchedule, type ScheduleRecord } from '@batti/contracts'
import { CalendarCheck, CalendarOff } from 'lucide-react'
import { useDroppedEnd } from '#web/lib/records/use-dropped-end.ts'
import { AdminScheduleDialog } from '#web/features/staff-schedules/components/admin-schedule-dialog.tsx'
import { ScheduleViewDialog } from '#web/features/staff-schedules/components/schedule-view-dialog.tsx'
import { scheduleColumns, useStaffScheduleList } from '#web/features/staff-schedules/schedule-list.tsx'
import { AddButton } from '#web/ui/add-button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { BoardChip } from '#web/routes/parts/board-chip.tsx'
import { OwnerChip } from '#web/routes/parts/owner-chip.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { scheduleTitle } from '#web/lib/records/schedule-title.ts'
import { useIsAdmin } from '#web/lib/session/use-is-admin.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useOpened } from '#web/lib/use-opened.ts'
import { useSave } from '#web/lib/use-save.ts'

/** /admin/schedules and /monitor/schedules. */
export function Screen() {
  const t = useText()
  const isAdmin = useIsAdmin()
  const list = useStaffScheduleList()
  const remove = useChange(deleteSchedule, staffViews.schedules)
  const toggle = useChange(toggleSchedule, staffViews.schedules)
  const dialogs = useOpened<ScheduleRecord>()
  const droppedEnd = useDroppedEnd()
  const toggling = useSave(
    async (schedule: ScheduleRecord) => {
      await toggle({ params: { id: schedule._id }, body: { isActive: !schedule.isActive } })
      return droppedEnd(schedule) ?? t('staffSchedules.saved')
    },
    {
      done: (words) => words,
      failed: t('staffSchedules.saveFailed'),
      recordOf: ({ _id }) => _id
    }
  )
  const nameOf = (schedule: ScheduleRecord) => scheduleTitle(t, schedule)
  const viewed = dialogs.in('view')
  const edited = dialogs.in('edit')
  const deleted = dialogs.in('delete')
  return (
    <ListPage
      title={t('staffSchedules.title')}
      add={isAdmin && <AddButton label={t('staffSchedules.add')} onClick={dialogs.create} />}
      list={list}
      filters={
        <>
          <OwnerChip list={list} />
          <BoardChip list={list} />
        </>
      }
      columns={scheduleColumns}
      words={{
        showing: 'staffSchedules.showing',
        search: t('staffSchedules.search'),
        failed: t('staffSchedules.failed'),
        empty: t('staffSchedules.none')
      }}
      nameOf={nameOf}
      onOpen={(schedule) => dialogs.open('view', schedule)}
      renderMenu={(schedule) => (
        <RowMenu
          onView={() => dialogs.open('view', schedule)}
          onEdit={isAdmin ? () => dialogs.open('edit', schedule) : undefined}
          onDelete={isAdmin ? () => dialogs.open('delete', schedule) : undefined}
        >
          {isAdmin && (
            <MenuItem
              icon={schedule.isActive ? <CalendarOff size={18} /> : <CalendarCheck size={18} />}
              onSelect={() => void toggling.save(schedule)}
            >
              {t(schedule.isActive ? 'schedules.setPassive' : 'schedules.setActive')}
            </MenuItem>
          )}
        </RowMenu>
      )}
    >
      {viewed !== null && <ScheduleViewDialog schedule={viewed} onClose={dialogs.close} />}
      {(dialogs.isCreating || edited !== null) && (
        <AdminScheduleDialog key={edited?._id} schedule={edited} onClose={dialogs.close} />
      )}
      {deleted !== null && (
        <DeleteDialog
          title={t('staffSchedules.deleteTitle', { name: nameOf(deleted) })}
          body={[t('staffSchedules.deleteBody'), droppedEnd(deleted)].filter((sentence) => sentence !== null).join(' ')}
          remove={() => remove({ params: { id: deleted._id } })}
          done={t('staffSchedules.deleted')}
          failed={t('staffSchedules.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
    </ListPage>
  )
}
