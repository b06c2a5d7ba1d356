import { auditActions, type AuditLogRecord } from '@batti/contracts'
import { useMemo } from 'react'
import { auditColumns, useAuditList } from '#web/features/audit-logs/audit-list.tsx'
import { actionWords } from '#web/features/audit-logs/components/action-words.tsx'
import { AuditViewDialog } from '#web/features/audit-logs/components/audit-view-dialog.tsx'
import { useFieldWords } from '#web/features/audit-logs/use-field-words.ts'
import { useTargetWords } from '#web/features/audit-logs/use-target-words.ts'
import { DateChip } from '#web/ui/date-chip.tsx'
import { FilterChip } from '#web/ui/filter-chip.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { OwnerChip } from '#web/routes/parts/owner-chip.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { filterProps } from '#web/lib/lists/filter-props.ts'
import { useOpened } from '#web/lib/use-opened.ts'

/** /admin/audit-logs: its rows cannot be changed or deleted. */
export function Screen() {
  const t = useText()
  const list = useAuditList()
  const dialogs = useOpened<AuditLogRecord, 'view'>()
  const viewed = dialogs.in('view')
  const fieldWords = useFieldWords()
  const targetWords = useTargetWords()
  const columns = useMemo(() => auditColumns(fieldWords, targetWords), [fieldWords, targetWords])
  return (
    <ListPage
      title={t('audit.title')}
      list={list}
      columns={columns}
      words={{
        showing: 'audit.showing',
        search: t('audit.search'),
        failed: t('audit.failed'),
        empty: t('audit.none')
      }}
      filters={
        <>
          <OwnerChip list={list} filter="actor" />
          <FilterChip
            label={t('audit.action')}
            {...filterProps(list, 'action')}
            choices={[
              { value: '', label: t('table.all') },
              ...auditActions.map((value) => ({ value, label: actionWords(t, value) }))
            ]}
          />
          <DateChip label={t('audit.from')} {...filterProps(list, 'from')} />
          <DateChip label={t('audit.to')} {...filterProps(list, 'to')} />
        </>
      }
      nameOf={(log) => `${actionWords(t, log.action)} ${targetWords(log)}`}
      onOpen={(log) => dialogs.open('view', log)}
      renderMenu={(log) => <RowMenu onView={() => dialogs.open('view', log)} />}
    >
      {viewed !== null && <AuditViewDialog log={viewed} onClose={dialogs.close} />}
    </ListPage>
  )
}
