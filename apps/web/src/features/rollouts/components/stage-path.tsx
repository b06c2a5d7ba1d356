import type { RolloutRecord } from '@batti/contracts'
import { Check, Pause, X } from 'lucide-react'
import { useIntl } from 'react-intl'
import { SpinnerRing } from '#web/ui/spinner-ring.tsx'
import { cn } from '#web/lib/cn.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { stageTitle } from '../rollout-words.ts'

type Stage = RolloutRecord['stages'][number]
type StageState = 'done' | 'open' | 'held' | 'cancelled' | 'next'

/** How the stage that has begun and not ended is shown; held in every other state. */
const stateOfOpen: Partial<Record<RolloutRecord['state'], StageState>> = {
  running: 'open',
  done: 'done',
  cancelled: 'cancelled'
}

const stateOf = (stage: Stage, rollout: RolloutRecord): StageState =>
  stage.endedAt !== null ? 'done' : stage.startedAt === null ? 'next' : (stateOfOpen[rollout.state] ?? 'held')

/** The stages in order: those that have ended, the open one, and what each still needs. */
export function StagePath({ rollout }: { rollout: RolloutRecord }) {
  return (
    <ol className="grid gap-4 sm:grid-flow-col sm:auto-cols-fr sm:gap-0">
      {rollout.stages.map((stage, index) => (
        <StageStep
          // Stages are never reordered.
          key={index}
          stage={stage}
          number={index + 1}
          state={stateOf(stage, rollout)}
          isLast={index === rollout.stages.length - 1}
        />
      ))}
    </ol>
  )
}

interface StageStepProps {
  stage: Stage
  number: number
  state: StageState
  isLast: boolean
}

function StageStep({ stage, number, state, isLast }: StageStepProps) {
  const t = useText()
  return (
    <li
      aria-current={state === 'open' || state === 'held' ? 'step' : undefined}
      className="relative flex gap-3 text-14 sm:block sm:pr-4"
    >
      {!isLast && (
        <span
          aria-hidden="true"
          className={cn(
            'absolute top-7 bottom-[-1rem] left-3 w-0.5 sm:top-3 sm:right-0 sm:bottom-auto sm:left-7 sm:h-0.5 sm:w-auto',
            state === 'done' ? 'bg-ok' : 'bg-line'
          )}
        />
      )}
      <StageMark number={number} state={state} />
      <div className="min-w-0 sm:pt-2">
        <p className="font-semibold">{stageTitle(t, stage)}</p>
        <p className="text-ink-2">
          {t(state === 'next' ? 'rollouts.boards' : 'rollouts.stageDone', { count: stage.total, done: stage.done })}
        </p>
        <p className="text-12 text-ink-3">
          <StageTimes stage={stage} state={state} />
        </p>
      </div>
    </li>
  )
}

function StageMark({ number, state }: Pick<StageStepProps, 'number' | 'state'>) {
  const intl = useIntl()
  return (
    <span
      aria-hidden="true"
      className={cn(
        'relative grid size-6 shrink-0 place-items-center rounded-full border bg-card text-12 font-semibold',
        state === 'done' && 'border-ok bg-ok text-card',
        state === 'open' && 'border-transparent text-accent',
        state === 'held' && 'border-danger text-danger',
        (state === 'next' || state === 'cancelled') && 'border-edge/60 text-ink-3'
      )}
    >
      {state === 'done' ? (
        <Check size={15} strokeWidth={3} />
      ) : state === 'held' ? (
        <Pause size={13} />
      ) : state === 'cancelled' ? (
        <X size={15} />
      ) : state === 'open' ? (
        <SpinnerRing className="size-6" />
      ) : (
        intl.formatNumber(number)
      )}
    </span>
  )
}

function StageTimes({ stage, state }: Pick<StageStepProps, 'stage' | 'state'>) {
  const t = useText()
  const intl = useIntl()
  const { serverTime } = useServices()
  const { startedAt, endedAt, holdMinutes, then } = stage
  const time = (at: string) => clockTime(intl, Date.parse(at), serverTime.now())
  const hold = holdMinutes === 0 ? null : t('rollouts.hold', { time: holdText(intl, holdMinutes) })
  const when =
    startedAt === null
      ? t('rollouts.notBegun')
      : endedAt === null
        ? t(state === 'cancelled' ? 'rollouts.begun' : 'rollouts.since', { time: time(startedAt) })
        : t('rollouts.fromTo', { from: time(startedAt), to: time(endedAt) })
  const parts = [when, hold, then === 'ask' && state !== 'done' && state !== 'cancelled' ? t('rollouts.thenAsk') : null]
  return parts.filter((part) => part !== null).join(', ')
}

const holdText = (intl: ReturnType<typeof useIntl>, minutes: number): string => {
  const [value, unit] =
    minutes % 1440 === 0 ? [minutes / 1440, 'day'] : minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return intl.formatNumber(value, { style: 'unit', unit, unitDisplay: 'long' })
}
