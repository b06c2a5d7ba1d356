import { defaultHoldMinutes, type RolloutStageInput } from '@batti/contracts'
import type { StageDocument } from '../rollout.model.ts'

export interface PlannedBoard {
  id: string
  labels: readonly string[]
  isOnline: boolean
}

type StageSize = Pick<RolloutStageInput, 'devices' | 'percent' | 'group'>

const labGroup = 'lab'
const day = 24 * 60

/** The stages of a rollout that names none. */
export function defaultStages(boards: readonly PlannedBoard[]): RolloutStageInput[] {
  const hasLab = boards.some(({ labels }) => labels.includes(labGroup))
  return [
    { ...(hasLab ? { group: labGroup } : { devices: 1 }), holdMinutes: defaultHoldMinutes, then: 'go' },
    { percent: 5, holdMinutes: day, then: 'go' },
    { percent: 25, holdMinutes: day, then: 'go' },
    { percent: 100, then: 'go' }
  ]
}

/**
 * Assigns boards to stages. A percentage is cumulative, of all boards, and rounded up. Online boards come first, because
 * an early stage should produce results. `left`: the number of boards in no stage.
 */
export function planStages(
  stages: readonly RolloutStageInput[],
  boards: readonly PlannedBoard[]
): { taken: string[][]; left: number } {
  const waiting = boards.toSorted((a, b) => Number(b.isOnline) - Number(a.isOnline) || (a.id < b.id ? -1 : 1))
  const isTaken = new Set<string>()
  const take = (candidates: readonly PlannedBoard[]): string[] => {
    const ids = candidates.map(({ id }) => id)
    for (const id of ids) isTaken.add(id)
    return ids
  }
  const taken = stages.map(({ devices, percent, group }) => {
    const free = waiting.filter(({ id }) => !isTaken.has(id))
    if (group !== undefined) return take(free.filter(({ labels }) => labels.includes(group)))
    const count = devices ?? Math.max(0, Math.ceil(((percent ?? 0) * boards.length) / 100) - isTaken.size)
    return take(free.slice(0, count))
  })
  return { taken, left: boards.length - isTaken.size }
}

/** Returns the requested size of a stage, without unset fields. */
export const sizeOf = ({ devices, percent, group }: StageSize): StageSize => ({
  ...(devices === undefined ? {} : { devices }),
  ...(percent === undefined ? {} : { percent }),
  ...(group === undefined ? {} : { group })
})

/** Returns the stages as they are stored. */
export function stageDocuments(
  stages: readonly RolloutStageInput[],
  taken: readonly (readonly string[])[],
  options: { holdMinutes: number | undefined; startedAt: Date | null }
): StageDocument[] {
  return stages.map(({ holdMinutes, then, ...stage }, index) => ({
    ...sizeOf(stage),
    holdMinutes: holdMinutes ?? options.holdMinutes ?? defaultHoldMinutes,
    then,
    total: taken[index]?.length ?? 0,
    startedAt: index === 0 ? options.startedAt : null,
    endedAt: null
  }))
}
