import type { RolloutRecord } from '@batti/contracts'
import { FastForward, Pause } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { useNavigate, useParams } from 'react-router-dom'
import { FailureList } from '#web/features/rollouts/components/failure-list.tsx'
import { ForwardDialog } from '#web/features/rollouts/components/forward-dialog.tsx'
import { PhaseBar, PhaseLegend } from '#web/features/rollouts/components/phase-bar.tsx'
import { RolloutNote } from '#web/features/rollouts/components/rollout-note.tsx'
import { RolloutState } from '#web/features/rollouts/components/rollout-state.tsx'
import { StagePath } from '#web/features/rollouts/components/stage-path.tsx'
import { groupCounts, phaseGroups, phasesOf } from '#web/features/rollouts/phase-groups.ts'
import { failedOf, rolloutTitle } from '#web/features/rollouts/rollout-words.ts'
import { targetColumns } from '#web/features/rollouts/target-columns.tsx'
import { useRollout, useRolloutActions, useTargetList } from '#web/features/rollouts/use-rollouts.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { useDataTable } from '#web/ui/data-table/use-data-table.ts'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { Section } from '#web/ui/page.tsx'
import { MissingRecord } from '#web/ui/missing-record.tsx'
import { isOfNone, QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { usePersonName } from '#web/lib/records/use-person.ts'

/** /admin/rollouts/{id} and /monitor/rollouts/{id}: live progress, why it is waiting, and the possible actions. */
export function Screen() {
  const t = useText()
  const role = useUser()?.role ?? 'admin'
  const { id = '' } = useParams()
  const rollout = useRollout(id)
  const parent = { label: t('rollouts.title'), path: `/${role}/rollouts` }
  if (rollout.data !== undefined && !isOfNone(rollout.error))
    return <RolloutPage rollout={rollout.data} parent={parent} isAdmin={role === 'admin'} />
  return (
    <PageFrame title={t('rollouts.title')} parent={parent}>
      <QueryView
        query={rollout}
        failed={t('rollouts.oneFailed')}
        missing={<MissingRecord title={t('rollouts.notFound')} list={parent} />}
        loading={<Skeleton className="mx-6 h-96" />}
      >
        {() => null}
      </QueryView>
    </PageFrame>
  )
}

interface RolloutPageProps {
  rollout: RolloutRecord
  parent: { label: string; path: string }
  isAdmin: boolean
}

function RolloutPage({ rollout, parent, isAdmin }: RolloutPageProps) {
  const t = useText()
  const intl = useIntl()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'cancel' | 'forward' | null>(null)
  const actions = useRolloutActions(rollout)
  const { state, counts, total, failures } = rollout
  const groups = groupCounts(counts)
  const isOver = state === 'done' || state === 'cancelled'
  // Closes the question when the rollout has ended, so that a retry does not show it again.
  if (isOver && asked === 'cancel') setAsked(null)
  const updated = groups.done + (counts.proving ?? 0)
  const close = () => setAsked(null)
  return (
    <PageFrame
      title={rolloutTitle(t, rollout)}
      parent={parent}
      // Announced: the button that has changed it is gone then.
      aside={
        <span role="status">
          <RolloutState rollout={rollout} />
        </span>
      }
      actions={
        isAdmin && (
          <>
            {rollout.kind === 'firmware' && updated > 0 && (
              <Button variant="ghost" className="text-14" onClick={() => setAsked('forward')}>
                <FastForward aria-hidden="true" size={18} />
                {/* On a phone the row has no room for three labels. */}
                <span className={state === 'running' ? 'max-sm:sr-only' : undefined}>{t('rollouts.forward')}</span>
              </Button>
            )}
            {state === 'running' && (
              <>
                <Button variant="ghost" className="text-14" onClick={() => setAsked('cancel')}>
                  {t('rollouts.cancel')}
                </Button>
                <Button className="text-14" isBusy={actions.isBusy} onClick={() => actions.change('paused')}>
                  <Pause aria-hidden="true" size={18} />
                  {t('rollouts.pause')}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <p className="px-4 pb-4 text-14 text-ink-2 sm:-mt-2 sm:px-6">
        <Facts rollout={rollout} />
      </p>
      <RolloutNote rollout={rollout} actions={isAdmin ? actions : null} onCancel={() => setAsked('cancel')} />
      <div className="grid gap-7 px-4 pb-7 sm:px-6">
        <Section title={t('rollouts.stages')}>
          <StagePath rollout={rollout} />
        </Section>
        <Section title={t('rollouts.progress')}>
          <p className="-mt-2 mb-3 text-14 text-ink-2">
            {t('rollouts.progressOf', {
              done: groups.done,
              total,
              share: intl.formatNumber(total === 0 ? 0 : groups.done / total, {
                style: 'percent',
                maximumFractionDigits: 1
              }),
              atOnce: rollout.atOnce
            })}
          </p>
          <PhaseBar rollout={rollout} className="mb-3" />
          <PhaseLegend counts={counts} />
        </Section>
        {failures.length > 0 && (
          <Section title={t('rollouts.whyFailed', { count: failedOf(rollout) })} className="max-w-3xl">
            <FailureList
              failures={failures}
              onRetry={isAdmin && state !== 'cancelled' ? actions.retry : null}
              isBusy={actions.isBusy}
            />
          </Section>
        )}
      </div>
      <Boards rollout={rollout} />
      <ConfirmDialog
        isOpen={asked === 'cancel'}
        title={t('rollouts.cancelTitle')}
        body={t('rollouts.cancelBody', { left: groups.waiting, underWay: groups['under-way'], done: groups.done })}
        confirmLabel={t('rollouts.cancel')}
        cancelLabel={t('rollouts.keep')}
        isBusy={actions.isBusy}
        onCancel={close}
        onConfirm={() => {
          actions.change('cancelled')
          close()
        }}
      />
      {asked === 'forward' && (
        <ForwardDialog rollout={rollout} onMade={({ _id }) => void navigate(`${parent.path}/${_id}`)} onClose={close} />
      )}
    </PageFrame>
  )
}

/** The number of boards, who started the rollout, and when boards may be updated. */
function Facts({ rollout }: { rollout: RolloutRecord }) {
  const t = useText()
  const intl = useIntl()
  const { serverTime } = useServices()
  const maker = usePersonName(rollout.createdBy)
  const time = clockTime(intl, Date.parse(rollout.createdAt), serverTime.now())
  const { allowedHours, updateWhen, follow } = rollout
  const parts = [
    t('rollouts.boards', { count: rollout.total }),
    maker === null ? t('rollouts.at', { time }) : t('rollouts.by', { name: maker, time }),
    allowedHours === null ? t('rollouts.anyHour') : t('rollouts.hours', allowedHours),
    ...(updateWhen === 'any' ? [] : [t(`rollouts.when.${updateWhen}`)]),
    ...(follow ? [t('rollouts.follows')] : []),
    t('rollouts.limit', { percent: rollout.maxFailurePercent })
  ]
  return parts.join(' · ')
}

function Boards({ rollout }: { rollout: RolloutRecord }) {
  const t = useText()
  const role = useUser()?.role ?? 'admin'
  const list = useTargetList(rollout._id)
  const columns = useMemo(() => targetColumns(`/${role}/devices`), [role])
  const table = useDataTable(list, columns)
  const groups = groupCounts(rollout.counts)
  return (
    <section aria-label={t('rollouts.boardsTitle')}>
      <h2 className="px-4 pb-3 text-16 font-semibold sm:px-6">{t('rollouts.boardsTitle')}</h2>
      <DataTable
        label={t('rollouts.boardsTitle')}
        list={list}
        table={table}
        columns={columns}
        words={{
          showing: 'rollouts.showingBoards',
          search: t('rollouts.searchBoards'),
          failed: t('rollouts.boardsFailed'),
          empty: t('rollouts.noBoards')
        }}
        tabs={{
          label: t('rollouts.phase'),
          filter: 'phase',
          tabs: [
            { value: '', label: t('table.all'), count: rollout.total },
            ...phaseGroups
              .filter((group) => groups[group] > 0 || list.filters['phase'] === phasesOf[group].join(','))
              .map((group) => ({
                value: phasesOf[group].join(','),
                label: t(`rollouts.group.${group}`),
                count: groups[group]
              }))
          ]
        }}
        nameOf={({ deviceName, deviceMac }) => deviceName ?? deviceMac}
      />
    </section>
  )
}
