import { getUnauthorizedLogImpact, updateUnauthorizedLog, type UnauthorizedLogRecord } from '@batti/contracts'
import { hourMs } from '@batti/kit/durations'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { isOtherThanShown } from '#web/lib/api/after-write.ts'
import { useChange } from '#web/lib/api/use-change.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useApi, useServices } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useSave } from '#web/lib/use-save.ts'

const terms = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs, none: null } as const
type Term = keyof typeof terms
const termNames = ['hour', 'day', 'week', 'none'] as const satisfies readonly Term[]

/** Asks before an address is blocked: whom it affects, and for how long. */
export function BlockDialog({ log, onClose }: { log: UnauthorizedLogRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  const { serverTime } = useServices()
  const [term, setTerm] = useState<Term>('hour')
  const change = useChange(updateUnauthorizedLog, staffViews.unauthorizedLogs)
  const lasts = terms[term]
  const endMs = lasts === null ? null : serverTime.now() + lasts
  const blocking = useSave(
    () =>
      change({
        params: { id: log._id },
        body: {
          blocked: true,
          until: lasts === null ? null : new Date(serverTime.now() + lasts).toISOString(),
          seen: { blocked: log.blocked, until: log.until }
        }
      }),
    {
      done: t('refusals.blockedDone'),
      failed: t('refusals.updateFailed'),
      onRefused: (message, error) => {
        notify.error(message)
        if (isOtherThanShown(error)) onClose()
      }
    }
  )
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={t('refusals.blockTitle', { ip: log.ip })}
      footer={
        <>
          <SheetClose />
          <Button
            variant="danger"
            isBusy={blocking.isSaving}
            onClick={() => void blocking.save().then((isDone) => isDone && onClose())}
          >
            {t(`refusals.do.${term}`)}
          </Button>
        </>
      }
    >
      <div inert={blocking.isSaving} className="grid gap-4 py-1">
        <Impact id={log._id} />
        <p className="text-14 text-ink-2">{t('refusals.attemptsSoFar', { count: log.attempts })}</p>
        <Segmented
          label={t('refusals.term')}
          value={term}
          choices={termNames.map((value) => ({ value, label: t(`refusals.term.${value}`) }))}
          onChange={setTerm}
        />
        <p className="text-14 text-ink-3">
          {endMs === null
            ? t('refusals.endsNever')
            : t('refusals.endsAt', { time: clockTime(intl, endMs, serverTime.now()) })}{' '}
          {t('refusals.blockBody')}
        </p>
      </div>
    </DialogSheet>
  )
}

function Impact({ id }: { id: string }) {
  const t = useText()
  const intl = useIntl()
  const api = useApi()
  const impact = useQuery({
    queryKey: ['unauthorized-logs', id, 'impact'],
    queryFn: ({ signal }) => api.call(getUnauthorizedLogImpact, { params: { id }, signal })
  })
  return (
    <QueryView isPart query={impact} failed={t('refusals.impactFailed')} loading={<Skeleton className="h-24" />}>
      {({ users, boards, sample }) =>
        users === 0 && boards === 0 ? (
          <p className="rounded-control border border-line px-3.5 py-3 text-14">{t('refusals.hitsNobody')}</p>
        ) : (
          <div className="flex gap-3 rounded-control bg-danger-soft px-3.5 py-3 text-14">
            <TriangleAlert aria-hidden="true" size={18} className="mt-0.5 text-danger" />
            <div>
              <p className="font-semibold">{t('refusals.hitsUsers', { count: users })}</p>
              <p className="text-ink-2">{t('refusals.hitsBoards', { count: boards })}</p>
              {sample.length > 0 && (
                <p className="mt-1 text-ink-2">
                  {users > sample.length
                    ? t('refusals.andMore', {
                        names: intl.formatList(
                          sample.map(({ name }) => name),
                          { type: 'unit' }
                        ),
                        count: users - sample.length
                      })
                    : intl.formatList(
                        sample.map(({ name }) => name),
                        { type: 'conjunction' }
                      )}
                </p>
              )}
            </div>
          </div>
        )
      }
    </QueryView>
  )
}
