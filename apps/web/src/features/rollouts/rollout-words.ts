import type { RolloutRecord } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { faultWords } from '#web/lib/form/fault-words.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'
import { firmwareTitle } from '#web/lib/records/firmware-title.ts'
import { groupCounts } from './phase-groups.ts'

type Stage = RolloutRecord['stages'][number]

/** Names a rollout by its firmware, and a bulk change by its fields. */
export function rolloutTitle(t: Text, rollout: RolloutRecord): string {
  if (rollout.kind === 'firmware') return firmwareTitle(rollout)
  return t('rollouts.settingsOf', { fields: settingNames(t, rollout.set).join(', ') })
}

export type StateOfRollout = Pick<RolloutRecord, 'state' | 'paused' | 'counts' | 'total'>

/** Returns whether a rollout ended without any board done. */
export const isWithoutDone = ({ state, counts, total }: StateOfRollout): boolean =>
  state === 'done' && total > 0 && (counts.done ?? 0) === 0

/** Returns the words for the state of a rollout, and for who or what paused it. */
export function stateWords(t: Text, rollout: StateOfRollout): string {
  const { state, paused, total } = rollout
  if (isWithoutDone(rollout)) return t('rollouts.state.noneDone', { done: 0, total })
  return t(state === 'paused' && paused !== null ? `rollouts.pausedBy.${paused.by}` : `rollouts.state.${state}`)
}

const known = ['setRoom', 'activeColor', 'timezone', 'api', 'mqtt'] as const
const isKnown = (name: string): name is (typeof known)[number] => known.some((each) => each === name)

function settingNames(t: Text, set: RolloutRecord['set']): string[] {
  return Object.keys(set ?? {}).map((name) => (isKnown(name) ? t(`rollouts.set.${name}`) : name))
}

/** Formats the size of a stage as it was entered. */
export function stageTitle(t: Text, { devices, percent, group }: Pick<Stage, 'devices' | 'percent' | 'group'>): string {
  if (group !== undefined) return t('rollouts.stageGroup', { group })
  if (percent !== undefined) return t('rollouts.stagePercent', { percent })
  return t('rollouts.boards', { count: devices ?? 0 })
}

/** Returns the index of the open stage: the first that has not ended. */
export const currentStage = ({ stages }: Pick<RolloutRecord, 'stages'>): number => {
  const open = stages.findIndex(({ endedAt }) => endedAt === null)
  return open === -1 ? stages.length - 1 : open
}

/** Counts the boards for which a retry may help. */
export const retryable = ({ failures }: Pick<RolloutRecord, 'failures'>): number =>
  failures.filter((failure) => failure.retryable).reduce((sum, { count }) => sum + count, 0)

/** The rule that own stages reach all boards. */
export const missesBoards = 'never reach all boards: end with percent 100'

/** Messages of the rules for a rollout alone. */
const faults: Readonly<Record<string, MessageId>> = {
  'must be a number': 'rollouts.fault.number',
  'must be above 0': 'rollouts.fault.aboveZero',
  'must differ from allowedHours.from': 'rollouts.fault.sameHours',
  [missesBoards]: 'rollouts.fault.stages'
}

/** Translates the error of a field of a new rollout. */
export const draftFaultWords = (t: Text, fault: string): string => {
  const id = faults[fault]
  return id === undefined ? faultWords(t, fault) : t(id)
}

export const failedOf = ({ counts }: Pick<RolloutRecord, 'counts'>): number => {
  const groups = groupCounts(counts)
  return groups.failed + groups['rolled-back']
}
