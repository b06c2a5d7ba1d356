import type { RolloutRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { groupCounts, phaseGroups, type PhaseGroup } from '../phase-groups.ts'

/** The pattern of each group, the same everywhere, so that failures do not depend on colour. */
const patterns: Record<PhaseGroup, string> = {
  done: 'bg-ok',
  'under-way': 'bg-accent',
  failed: 'bg-[repeating-linear-gradient(90deg,var(--danger)_0_4px,transparent_4px_5px)]',
  'rolled-back': 'bg-[repeating-linear-gradient(135deg,var(--danger)_0_3px,transparent_3px_6px)]',
  skipped: 'bg-[repeating-linear-gradient(45deg,var(--edge)_0_2px,transparent_2px_6px)]',
  waiting: 'bg-well'
}

/** A bar of how many boards are in each group of phases. */
export function PhaseBar({
  rollout,
  className
}: {
  rollout: Pick<RolloutRecord, 'counts' | 'total'>
  className?: string
}) {
  const t = useText()
  const intl = useIntl()
  const groups = groupCounts(rollout.counts)
  const total = Math.max(1, rollout.total)
  return (
    <div
      role="img"
      aria-label={t('rollouts.doneOf', {
        done: intl.formatNumber(groups.done),
        total: intl.formatNumber(rollout.total)
      })}
      className={cn('flex h-2.5 overflow-hidden rounded-full bg-well', className)}
    >
      {phaseGroups
        .filter((group) => group !== 'waiting' && groups[group] > 0)
        .map((group) => (
          <span
            key={group}
            className={cn('min-w-1 transition-[width] duration-240', patterns[group])}
            style={{ width: `${(groups[group] / total) * 100}%` }}
          />
        ))}
    </div>
  )
}

/** The legend of the bar's patterns, with numbers. */
export function PhaseLegend({ counts }: Pick<RolloutRecord, 'counts'>) {
  const t = useText()
  const intl = useIntl()
  const groups = groupCounts(counts)
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-14 text-ink-2">
      {phaseGroups.map((group) => (
        <li key={group} className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className={cn('size-3 rounded-sm border border-edge/40', patterns[group])} />
          {t(`rollouts.group.${group}`)}
          <span className="font-semibold text-ink tabular-nums">{intl.formatNumber(groups[group])}</span>
        </li>
      ))}
    </ul>
  )
}
