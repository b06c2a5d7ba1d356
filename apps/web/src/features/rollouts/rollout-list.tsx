import type { RolloutRecord } from '@batti/contracts'
import { useIntl, type IntlShape } from 'react-intl'
import type { Column } from '#web/ui/data-table/columns.ts'
import { PersonName } from '#web/ui/person-name.tsx'
import { T } from '#web/ui/text.tsx'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { PhaseBar } from './components/phase-bar.tsx'
import { RolloutState } from './components/rollout-state.tsx'
import { groupCounts } from './phase-groups.ts'
import { currentStage, failedOf, rolloutTitle, stateWords } from './rollout-words.ts'

export const rolloutColumns: readonly Column<RolloutRecord>[] = [
  {
    id: 'fileName',
    label: 'rollouts.name',
    value: (rollout, t) => rolloutTitle(t, rollout),
    width: 215
  },
  {
    id: 'state',
    label: 'rollouts.state',
    value: (rollout, t) => stateWords(t, rollout),
    cell: (rollout) => <RolloutState rollout={rollout} />,
    width: 190,
    card: { line: 2 }
  },
  {
    id: 'progress',
    label: 'rollouts.progress',
    value: ({ counts, total }) => (total === 0 ? 0 : groupCounts(counts).done / total),
    cell: (rollout) => <Progress rollout={rollout} />,
    words: doneWords,
    width: 240,
    card: { line: 3 }
  },
  {
    id: 'failed',
    label: 'rollouts.failed',
    value: failedOf,
    width: 90,
    isNumber: true
  },
  {
    id: 'stage',
    label: 'rollouts.stage',
    value: currentStage,
    cell: (rollout) => <T id="rollouts.stageOf" values={stageValues(rollout)} />,
    words: (rollout, t) => t('rollouts.stageOf', stageValues(rollout)),
    width: 110,
    card: { line: 2, isEnd: true }
  },
  { id: 'total', label: 'rollouts.total', width: 90, isNumber: true, isSpare: true },
  {
    id: 'createdAt',
    label: 'table.created',
    isTime: true,
    more: ({ createdBy }) => <PersonName id={createdBy} />,
    width: 130,
    card: { line: 4 }
  },
  {
    id: 'kind',
    label: 'rollouts.kind',
    value: ({ kind }, t) => t(`rollouts.kind.${kind}`),
    width: 110,
    isExtra: true
  }
]

const stageValues = (rollout: RolloutRecord) => ({ stage: currentStage(rollout) + 1, stages: rollout.stages.length })

function doneWords({ counts, total }: RolloutRecord, t: Text, intl: IntlShape): string {
  const { done } = groupCounts(counts)
  return t('rollouts.doneShort', { done: intl.formatNumber(done), total: intl.formatNumber(total) })
}

function Progress({ rollout }: { rollout: RolloutRecord }) {
  const intl = useIntl()
  const t = useText()
  return (
    <span className="flex w-full min-w-[min(14rem,70vw)] items-center gap-3">
      <PhaseBar rollout={rollout} className="flex-1" />
      <span className="shrink-0 text-12 tabular-nums">{doneWords(rollout, t, intl)}</span>
    </span>
  )
}
