import type { RolloutRecord } from '@batti/contracts'
import { Badge } from '#web/ui/badge.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isWithoutDone, stateWords, type StateOfRollout } from '../rollout-words.ts'

const tones = {
  'waiting-approval': 'neutral',
  running: 'ok',
  asking: 'warn',
  paused: 'danger',
  done: 'muted',
  cancelled: 'muted'
} as const satisfies Record<RolloutRecord['state'], string>

/** The state of a rollout, and who or what paused it. One that ended without any board done is not shown as done. */
export function RolloutState({ rollout }: { rollout: StateOfRollout }) {
  return (
    <Badge
      tone={isWithoutDone(rollout) ? 'danger' : tones[rollout.state]}
      frame="none"
      hasDot
      className="text-14 font-normal"
    >
      {stateWords(useText(), rollout)}
    </Badge>
  )
}
