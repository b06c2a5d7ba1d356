import type { RolloutRecord } from '@batti/contracts'
import { CirclePause, CircleQuestionMark, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/lib/cn.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { groupCounts } from '../phase-groups.ts'
import { currentStage, retryable, stageTitle } from '../rollout-words.ts'
import { useIsWithdrawn, type RolloutActions } from '../use-rollouts.ts'

export interface RolloutNoteProps {
  rollout: RolloutRecord
  /** Null for people who may only view. */
  actions: RolloutActions | null
  onCancel: () => void
}

/** Explains why a rollout is waiting, and offers the possible actions. */
export function RolloutNote(props: RolloutNoteProps) {
  const { state } = props.rollout
  if (state === 'paused') return <PausedNote {...props} />
  if (state === 'asking') return <AskingNote {...props} />
  return state === 'waiting-approval' ? <ApprovalNote {...props} /> : null
}

function PausedNote({ rollout, ...options }: RolloutNoteProps) {
  const t = useText()
  const intl = useIntl()
  const { serverTime } = useServices()
  const { paused } = rollout
  const again = retryable(rollout)
  const isWithdrawn = useIsWithdrawn(rollout)
  const time = paused === null ? '' : clockTime(intl, Date.parse(paused.at), serverTime.now())
  const percent = (value: number) => intl.formatNumber(value / 100, { style: 'percent', maximumFractionDigits: 1 })
  const title =
    paused === null
      ? t('rollouts.state.paused')
      : t(`rollouts.why.${isWithdrawn ? 'withdrawn' : paused.by}`, {
          time,
          failed: paused.failed,
          tried: paused.tried,
          share: percent(paused.tried === 0 ? 0 : (paused.failed / paused.tried) * 100),
          limit: percent(paused.limit)
        })
  return (
    <Note
      {...options}
      tone="danger"
      icon={<CirclePause size={20} />}
      title={title}
      body={t('rollouts.pausedBody', { done: groupCounts(rollout.counts).done })}
      renderButtons={({ isBusy, change, retry }) =>
        !isWithdrawn && (
          <>
            <Button
              variant={again > 0 ? 'quiet' : 'primary'}
              className="text-14"
              isBusy={isBusy}
              onClick={() => change('running')}
            >
              {t('rollouts.resume')}
            </Button>
            {again > 0 && (
              <Button className="text-14" isBusy={isBusy} onClick={() => retry()}>
                {t('rollouts.retryAll', { count: again })}
              </Button>
            )}
          </>
        )
      }
    />
  )
}

function AskingNote({ rollout, ...options }: RolloutNoteProps) {
  const t = useText()
  const at = currentStage(rollout)
  const here = rollout.stages[at]
  const next = rollout.stages[at + 1]
  if (next === undefined) return null
  // All boards of the stage failed or were removed: the question is whether to continue at all.
  const hasFailed = here !== undefined && here.total > 0 && here.done === 0
  return (
    <Note
      {...options}
      tone="warn"
      icon={<CircleQuestionMark size={20} />}
      title={t(hasFailed ? 'rollouts.askFailed' : 'rollouts.askTitle', { stage: at + 1 })}
      body={t('rollouts.askNext', { next: stageTitle(t, next), count: next.total })}
      renderButtons={({ isBusy, change }) => (
        <>
          <Button variant="quiet" className="text-14" isBusy={isBusy} onClick={() => change('paused')}>
            {t('rollouts.pause')}
          </Button>
          <Button className="text-14" isBusy={isBusy} onClick={() => change('running')}>
            {t('rollouts.goOn')}
          </Button>
        </>
      )}
    />
  )
}

function ApprovalNote({ rollout, ...options }: RolloutNoteProps) {
  const t = useText()
  const isMine = useUser()?._id === rollout.createdBy
  return (
    <Note
      {...options}
      tone="warn"
      icon={<UserCheck size={20} />}
      title={t('rollouts.state.waiting-approval')}
      body={t(isMine ? 'rollouts.approvalMine' : 'rollouts.approvalBody')}
      renderButtons={({ isBusy, change }) =>
        !isMine && (
          <Button className="text-14" isBusy={isBusy} onClick={() => change('running')}>
            {t('rollouts.approve')}
          </Button>
        )
      }
    />
  )
}

interface NoteProps extends Omit<RolloutNoteProps, 'rollout'> {
  tone: 'danger' | 'warn'
  icon: ReactNode
  title: string
  body: string
  /** Beside the one that cancels. */
  renderButtons: (actions: RolloutActions) => ReactNode
}

function Note({ tone, icon, title, body, actions, onCancel, renderButtons }: NoteProps) {
  const t = useText()
  return (
    <div
      role="alert"
      className={cn(
        'mx-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border px-4 py-3.5 text-14 sm:mx-6',
        tone === 'danger' ? 'border-danger/25 bg-danger-soft' : 'border-line bg-well/60'
      )}
    >
      <span aria-hidden="true" className={cn('self-start pt-0.5', tone === 'danger' ? 'text-danger' : 'text-warn')}>
        {icon}
      </span>
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{title}</p>
        <p className="text-ink-2">{body}</p>
      </div>
      {actions !== null && (
        <div className="flex flex-wrap gap-2">
          <Button variant="ghost" className="text-14" onClick={onCancel}>
            {t('rollouts.cancel')}
          </Button>
          {renderButtons(actions)}
        </div>
      )}
    </div>
  )
}
