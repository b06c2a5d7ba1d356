import type { RolloutRecord } from '@batti/contracts'
import { Badge } from '#web/ui/badge.tsx'
import { T } from '#web/ui/text.tsx'

const tones = {
  'waiting-approval': 'neutral',
  running: 'ok',
  asking: 'warn',
  paused: 'danger',
  done: 'muted',
  cancelled: 'muted'
} as const satisfies Record<RolloutRecord['state'], string>

/** The state of a rollout, and who or what paused it. One that ended without any board done is not shown as done. */
export function RolloutState({ rollout }: { rollout: Pick<RolloutRecord, 'state' | 'paused' | 'counts' | 'total'> }) {
  const { state, paused, counts, total } = rollout
  const { done = 0 } = counts
  if (state === 'done' && done === 0 && total > 0)
    return (
      <Badge tone="danger" frame="none" hasDot className="text-14 font-normal">
        <T id="rollouts.state.noneDone" values={{ done, total }} />
      </Badge>
    )
  return (
    <Badge tone={tones[state]} frame="none" hasDot className="text-14 font-normal">
      <T id={state === 'paused' && paused !== null ? `rollouts.pausedBy.${paused.by}` : `rollouts.state.${state}`} />
    </Badge>
  )
}
