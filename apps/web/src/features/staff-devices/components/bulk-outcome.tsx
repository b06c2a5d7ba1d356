import { getRollout, type RolloutRecord } from '@batti/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

const isOver = ({ state }: Pick<RolloutRecord, 'state'>) => state === 'done' || state === 'cancelled'

export interface BulkOutcomeProps {
  title: string
  made: { id: string; total: number }
  path: string | null
  onClose: () => void
}

/**
 * The progress of a bulk change, updated by the staff room's events. It continues after the dialog is closed: offline
 * boards get it when they return.
 */
export function BulkOutcome({ title, made, path, onClose }: BulkOutcomeProps) {
  const t = useText()
  const api = useApi()
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: [...queryKeys.rollouts, 'one', made.id],
    queryFn: ({ signal }) => api.call(getRollout, { params: { id: made.id }, signal })
  })
  const hasEnded = query.data !== undefined && isOver(query.data)
  // The rows of changed boards are patched, but only the server knows which ones a filter by room lists now.
  useEffect(() => {
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: queryKeys.devices })
  }, [queryClient, hasEnded])
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={title}
      footer={
        <>
          {path !== null && (
            <LinkButton to={path} variant="quiet" onClick={onClose}>
              {t('boardsBulk.course')}
            </LinkButton>
          )}
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      {query.data === undefined && query.error === null ? (
        <Course total={made.total} counts={{}} state="running" />
      ) : (
        <QueryView isPart query={query} failed={t('boardsBulk.progressFailed')} loading={null}>
          {({ counts, state }) => <Course total={made.total} counts={counts} state={state} />}
        </QueryView>
      )}
    </DialogSheet>
  )
}

function Course({ total, counts, state }: Pick<RolloutRecord, 'total' | 'counts' | 'state'>) {
  const t = useText()
  const { done = 0, failed = 0 } = counts
  const waiting = total - done - failed
  const news = () => {
    if (state === 'waiting-approval') return t('boardsBulk.approval')
    if (state === 'paused' || state === 'asking') return t('boardsBulk.paused')
    return isOver({ state }) ? t('boardsBulk.over') : null
  }
  return (
    <div className="grid gap-3 py-2">
      <Progress label={t('boardsBulk.done', { done, total })} value={total === 0 ? 1 : done / total} />
      <p className="text-14 text-ink-2">
        {state === 'running' && waiting > 0 && t('boardsBulk.waiting', { count: waiting })}{' '}
        {/* What moves four times a second is not read aloud. */}
        <span role="status">
          {news()} {failed > 0 && t('boardsBulk.failedCount', { count: failed })}
        </span>
      </p>
    </div>
  )
}
