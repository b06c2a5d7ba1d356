import { clearAllActionLogs, deleteActionLog, searchedLogRowsMax, type ActionLogRecord } from '@batti/contracts'
import { Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { LogViewDialog } from '#web/features/staff-logs/components/log-view-dialog.tsx'
import { logColumns, useLogList } from '#web/features/staff-logs/log-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { BoardChip } from '#web/routes/parts/board-chip.tsx'
import { OwnerChip } from '#web/routes/parts/owner-chip.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useIsAdmin } from '#web/lib/session/use-is-admin.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useLogSentence } from '#web/lib/records/use-log-sentence.ts'
import { useOpened } from '#web/lib/use-opened.ts'

/** /admin/logs and /monitor/logs. */
export function Screen() {
  const t = useText()
  const intl = useIntl()
  const isAdmin = useIsAdmin()
  const list = useLogList()
  const sentenceOf = useLogSentence()
  const columns = useMemo(() => logColumns(sentenceOf), [sentenceOf])
  const remove = useChange(deleteActionLog, staffViews.logs)
  const clear = useChange(clearAllActionLogs, staffViews.logs)
  const dialogs = useOpened<ActionLogRecord>()
  const [isClearing, setClearing] = useState(false)
  const viewed = dialogs.in('view')
  const deleted = dialogs.in('delete')
  const isSearchedInPart = list.address.search !== '' && Object.values(list.filters).every((value) => value === '')
  const isSortedInPart = !/^-?createdAt$|^$/.test(list.address.sort) && list.total > searchedLogRowsMax
  const inPart = isSearchedInPart ? 'staffLogs.searchedInPart' : isSortedInPart ? 'staffLogs.sortedInPart' : null
  const pages = Math.max(1, Math.ceil(list.total / list.pageSize))
  return (
    <ListPage
      title={t('staffLogs.title')}
      aside={
        list.state.isPending || list.state.isError
          ? '–'
          : t('staffLogs.pageOf', { page: list.page, pages, total: intl.formatNumber(list.total) })
      }
      actions={
        isAdmin &&
        list.total > 0 && (
          <Button variant="quiet" onClick={() => setClearing(true)} className="text-14">
            <Trash2 aria-hidden="true" size={18} />
            {t('staffLogs.clearAll')}
          </Button>
        )
      }
      list={list}
      before={
        inPart !== null && (
          <p className="mb-3 text-14 text-ink-2">{t(inPart, { count: intl.formatNumber(searchedLogRowsMax) })}</p>
        )
      }
      filters={
        <>
          <OwnerChip list={list} />
          <BoardChip list={list} />
        </>
      }
      columns={columns}
      words={{
        showing: 'staffLogs.showing',
        search: t('staffLogs.search'),
        failed: t('staffLogs.failed'),
        empty: t('staffLogs.none')
      }}
      nameOf={sentenceOf}
      onOpen={(log) => dialogs.open('view', log)}
      renderMenu={(log) => (
        <RowMenu
          onView={() => dialogs.open('view', log)}
          onDelete={isAdmin ? () => dialogs.open('delete', log) : undefined}
        />
      )}
    >
      {viewed !== null && <LogViewDialog log={viewed} onClose={dialogs.close} />}
      {deleted !== null && (
        <DeleteDialog
          title={t('staffLogs.deleteSure')}
          body={sentenceOf(deleted)}
          remove={() => remove({ params: { id: deleted._id } })}
          done={t('staffLogs.deleted')}
          failed={t('staffLogs.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
      {isClearing && (
        <DeleteDialog
          title={t('staffLogs.clearAll')}
          body={t('staffLogs.clearSure')}
          confirmLabel={t('staffLogs.clearAll')}
          remove={() => clear()}
          done={t('staffLogs.cleared')}
          failed={t('staffLogs.clearFailed')}
          onClose={() => setClearing(false)}
        />
      )}
    </ListPage>
  )
}
