import { deleteUnauthorizedLog, updateUnauthorizedLog, type UnauthorizedLogRecord } from '@batti/contracts'
import { Ban, CircleCheck } from 'lucide-react'
import { BlockDialog } from '#web/features/unauthorized-logs/components/block-dialog.tsx'
import { refusalColumns, useRefusalList } from '#web/features/unauthorized-logs/refusal-list.tsx'
import { DateChip } from '#web/ui/date-chip.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { HourBars } from '#web/ui/charts/hour-bars.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { filterProps } from '#web/lib/lists/filter-props.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useOpened } from '#web/lib/use-opened.ts'
import { useSave } from '#web/lib/use-save.ts'

/** /admin/unauthorized-logs. */
export function Screen() {
  const t = useText()
  const list = useRefusalList()
  const change = useChange(updateUnauthorizedLog, staffViews.unauthorizedLogs)
  const remove = useChange(deleteUnauthorizedLog, staffViews.unauthorizedLogs)
  const dialogs = useOpened<UnauthorizedLogRecord, 'block' | 'delete'>()
  const unblocking = useSave(
    ({ _id: id, blocked, until }: UnauthorizedLogRecord) =>
      change({ params: { id }, body: { blocked: false, seen: { blocked, until } } }),
    { done: t('refusals.unblockedDone'), failed: t('refusals.updateFailed'), recordOf: ({ _id }) => _id }
  )
  const blocked = dialogs.in('block')
  const byBlock = list.answer?.byBlock
  const deleted = dialogs.in('delete')
  return (
    <ListPage
      title={t('refusals.title')}
      actions={
        <RefreshButton
          variant="quiet"
          isBusy={list.state.isFetching && !list.state.isPending}
          onClick={list.state.refetch}
        />
      }
      list={list}
      before={
        list.answer !== undefined && (
          <HourBars label={t('refusals.byHour')} hours={list.answer.byHour} peak={(hour) => t('refusals.peak', hour)} />
        )
      }
      columns={refusalColumns}
      words={{
        showing: 'refusals.showing',
        search: t('refusals.search'),
        failed: t('refusals.failed'),
        empty: t('refusals.none')
      }}
      tabs={{
        label: t('refusals.filter'),
        filter: 'blocked',
        tabs: [
          { value: '', label: t('table.all'), count: byBlock && byBlock.blocked + byBlock.unblocked },
          { value: 'true', label: t('refusals.blockedTab'), count: byBlock?.blocked },
          { value: 'false', label: t('refusals.unblockedTab'), count: byBlock?.unblocked }
        ]
      }}
      filters={
        <>
          <DateChip label={t('refusals.from')} {...filterProps(list, 'from')} />
          <DateChip label={t('refusals.to')} {...filterProps(list, 'to')} />
        </>
      }
      nameOf={({ ip }) => ip}
      renderMenu={(log) => (
        <RowMenu onDelete={() => dialogs.open('delete', log)}>
          {log.blocked ? (
            <MenuItem icon={<CircleCheck size={18} />} onSelect={() => void unblocking.save(log)}>
              {t('refusals.unblock')}
            </MenuItem>
          ) : (
            <MenuItem icon={<Ban size={18} />} onSelect={() => dialogs.open('block', log)}>
              {t('refusals.block')}
            </MenuItem>
          )}
        </RowMenu>
      )}
    >
      {blocked !== null && <BlockDialog log={blocked} onClose={dialogs.close} />}
      {deleted !== null && (
        <DeleteDialog
          title={t('refusals.deleteSure')}
          remove={() => remove({ params: { id: deleted._id } })}
          done={t('refusals.deleted')}
          failed={t('refusals.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
    </ListPage>
  )
}
