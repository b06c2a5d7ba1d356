import { getRollout, type RolloutRecord } from '@batti/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

const lookAgainMs = 2000
const isOver = ({ state }: RolloutRecord) => state === 'done' || state === 'cancelled'

export interface BulkOutcomeProps {
  title: string
  made: { id: string; total: number }
  path: string | null
  onClose: () => void
}

/** The progress of a bulk change. It continues after the dialog is closed: offline boards get it when they return. */
export function BulkOutcome({ title, made, path, onClose }: BulkOutcomeProps) {
  const t = useText()
  const api = useApi()
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: [...queryKeys.rollouts, made.id],
    queryFn: ({ signal }) => api.call(getRollout, { params: { id: made.id }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data) ? false : lookAgainMs)
  })
  const done = data?.counts.done ?? 0
  useEffect(() => {
    if (done > 0) void queryClient.invalidateQueries({ queryKey: queryKeys.devices })
  }, [queryClient, done])
  const failed = data?.counts.failed ?? 0
  const waiting = made.total - done - failed
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
      <div role="status" className="grid gap-3 py-2">
        <Progress
          label={t('boardsBulk.done', { done, total: made.total })}
          value={made.total === 0 ? 1 : done / made.total}
        />
        <p className="text-14 text-ink-2">
          {data?.state === 'waiting-approval'
            ? t('boardsBulk.approval')
            : data !== undefined && isOver(data)
              ? t('boardsBulk.over')
              : waiting > 0 && t('boardsBulk.waiting', { count: waiting })}{' '}
          {failed > 0 && t('boardsBulk.failedCount', { count: failed })}
        </p>
      </div>
    </DialogSheet>
  )
}
