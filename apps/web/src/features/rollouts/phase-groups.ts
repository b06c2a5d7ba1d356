import type { PhaseCounts, UpdatePhase } from '@batti/contracts'

/** The groups of phases on screens, always in this order. */
export const phaseGroups = ['done', 'under-way', 'failed', 'rolled-back', 'skipped', 'waiting'] as const
export type PhaseGroup = (typeof phaseGroups)[number]

export const phasesOf: Readonly<Record<PhaseGroup, readonly UpdatePhase[]>> = {
  done: ['done'],
  'under-way': ['sent', 'download', 'verify', 'install', 'reboot', 'proving'],
  failed: ['failed'],
  'rolled-back': ['rolled-back'],
  skipped: ['skipped'],
  waiting: ['waiting']
}

/** Returns the number of boards in each group. */
export function groupCounts(counts: PhaseCounts): Record<PhaseGroup, number> {
  const sum = (group: PhaseGroup) => phasesOf[group].reduce((total, phase) => total + (counts[phase] ?? 0), 0)
  return {
    done: sum('done'),
    'under-way': sum('under-way'),
    failed: sum('failed'),
    'rolled-back': sum('rolled-back'),
    skipped: sum('skipped'),
    waiting: sum('waiting')
  }
}
