import type { ActionLogRecord } from '@batti/contracts'
import { ScrollText } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useDeleteLog } from '#web/features/action-logs/api/delete-logs.ts'
import { isAnswered, useLogs } from '#web/features/action-logs/api/list-logs.ts'
import type { LogFilters } from '#web/features/action-logs/log-filters.ts'
import { useLogTexts } from '#web/features/action-logs/use-log-texts.ts'
import { whyRow } from '#web/features/action-logs/why-row.ts'
import { LogTimeline } from './log-timeline.tsx'

export interface LogListProps {
  filters: LogFilters
  /** Scrolls to the row that explains the state of the filtered switch. */
  isWhy?: boolean
}

/** The filtered log; older rows are loaded on demand. */
export function LogList({ filters, isWhy = false }: LogListProps) {
  const t = useText()
  const texts = useLogTexts()
  const logs = useLogs(filters, isWhy)
  const deletion = useDeleteLog()
  const [toDelete, setToDelete] = useState<ActionLogRecord | null>(null)
  const { list, keepEnd } = useFirstOlder(logs.data?.rows.length)
  const asked = isWhy && isAnswered(logs) ? filters.switchId : null
  return (
    <>
      <QueryView
        query={logs}
        failed={t('logs.failed')}
        loading={<LogListLoading />}
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          <EmptyState
            drawing={<ScrollText size={40} strokeWidth={1.5} />}
            title={t('logs.none')}
            body={t('logs.noneHint')}
          />
        }
      >
        {({ rows, total }) => (
          <>
            <div ref={list}>
              <LogTimeline
                rows={rows}
                whyId={asked === null ? undefined : whyRow(rows, asked)?._id}
                onDelete={setToDelete}
              />
            </div>
            <div className="mt-4 flex flex-wrap items-center gap-3">
              {logs.hasNextPage && (
                <Button
                  variant="quiet"
                  isBusy={logs.isFetchingNextPage}
                  onClick={({ currentTarget }) => {
                    keepEnd(currentTarget)
                    void logs.fetchNextPage()
                  }}
                >
                  {t('logs.older')}
                </Button>
              )}
              <p role="status" className="text-14 text-ink-3">
                {t('logs.shown', { shown: rows.length, total })}
              </p>
            </div>
          </>
        )}
      </QueryView>
      {toDelete !== null && (
        <DeleteDialog
          title={t('logs.deleteSure')}
          body={texts.sentenceOf(toDelete)}
          done={t('logs.deleted')}
          failed={t('logs.deleteFailed')}
          remove={() => deletion.mutateAsync(toDelete._id)}
          onClose={() => setToDelete(null)}
        />
      )}
    </>
  )
}

/** The rows, without the buttons that unfold some of them. */
const itemsOf = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('li[tabindex]') ?? [])]

/** Moves the focus from the button that asked for older rows, which is below them or gone, to the first of them. */
function useFirstOlder(count: number | undefined) {
  const list = useRef<HTMLDivElement>(null)
  const asked = useRef<{ button: Element; last: Element | undefined } | null>(null)
  useLayoutEffect(() => {
    const items = itemsOf(list.current)
    const end = items.findIndex((item) => item === asked.current?.last)
    const first = end === -1 || count === undefined ? undefined : items[end + 1]
    if (first === undefined) return
    const isLeft = document.activeElement === asked.current?.button || document.activeElement === document.body
    asked.current = null
    if (isLeft) first.focus({ preventScroll: true })
  }, [count])
  return { list, keepEnd: (button: Element) => (asked.current = { button, last: itemsOf(list.current).at(-1) }) }
}

function LogListLoading() {
  return (
    <div className="grid grid-cols-1 gap-5">
      {[0, 1, 2, 3, 4].map((index) => (
        <div key={index} className="flex gap-3">
          <Skeleton className="size-9 rounded-full" />
          <div className="grid flex-1 gap-1.5">
            <Skeleton className="h-5 w-56" />
            <Skeleton className="h-4 w-40" />
          </div>
        </div>
      ))}
    </div>
  )
}
