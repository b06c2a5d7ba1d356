import { previewRollout } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { fieldErrors } from '#web/lib/api/api-error.ts'
import { bodyRules } from '#web/lib/api/use-change.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import { useLater } from '#web/lib/use-later.ts'
import { bodyOf, faultsOf, type RolloutDraft } from '../draft.ts'
import { missesBoards } from '../rollout-words.ts'

const typedAfterMs = 300

/** Asks the server for a draft's effect shortly after the last change; disabled while the draft is invalid. */
export function usePreview(draft: RolloutDraft) {
  const api = useApi()
  const wanted = JSON.stringify(bodyOf(draft))
  const settled = useLater(wanted, typedAfterMs)
  // The draft before the last change may have been invalid.
  const isAskable = settled === wanted && Object.keys(faultsOf(draft)).length === 0
  const query = useQuery({
    queryKey: [...queryKeys.rollouts, 'preview', settled],
    queryFn: ({ signal }) => {
      const body = bodyRules(previewRollout).parse(JSON.parse(settled))
      return api.call(previewRollout, { body, signal })
    },
    enabled: isAskable,
    retry: false,
    placeholderData: (before) => before
  })
  return {
    query,
    // Until the answer for this draft arrives, that for the former one stays visible.
    isCurrent: settled === wanted && !query.isPlaceholderData,
    /** Own stages that leave boards out, which only the server can count: as in the rule for a last stage in percent. */
    faults: fieldErrors(query.error)['stages'] === undefined ? {} : { stages: missesBoards }
  }
}

/** Before the start: the number of boards in all and per stage, and which are left out and why. */
export function RolloutPreview({ query, isCurrent, faults }: ReturnType<typeof usePreview>) {
  const t = useText()
  const intl = useIntl()
  // Said beside the stages.
  if (Object.keys(faults).length > 0) return null
  if (query.data === undefined && query.fetchStatus === 'idle' && !query.isError)
    return <p className="text-14 text-ink-3">{t('rollouts.previewLater')}</p>
  return (
    <QueryView query={query} failed={t('rollouts.previewFailed')} loading={<Skeleton className="h-40" />}>
      {({ total, stages, excluded }) => (
        <div className={cn('grid gap-4 text-14', !isCurrent && 'opacity-60')} aria-live="polite">
          <p>
            <span className="block text-28 font-semibold tabular-nums">{intl.formatNumber(total)}</span>
            {t('rollouts.previewBoards', { count: total })}
          </p>
          {total > 0 && (
            <ol className="grid gap-1">
              {stages.map((count, index) => (
                <li key={index} className="flex justify-between gap-3 border-t border-line pt-1">
                  <span className="text-ink-2">{t('rollouts.stageNumber', { number: index + 1 })}</span>
                  <span>{t('rollouts.boards', { count })}</span>
                </li>
              ))}
            </ol>
          )}
          {excluded.length > 0 && (
            <div>
              <h3 className="mb-1 font-semibold">{t('rollouts.excluded')}</h3>
              <ul className="grid gap-1">
                {excluded.map(({ reason, count }) => (
                  <li key={reason} className="flex justify-between gap-3 border-t border-line pt-1">
                    <span className="text-ink-2">{t(`rollouts.excluded.${reason}`)}</span>
                    <span className="tabular-nums">{intl.formatNumber(count)}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      )}
    </QueryView>
  )
}
