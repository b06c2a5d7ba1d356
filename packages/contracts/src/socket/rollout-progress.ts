import { z } from 'zod'
import { updateError, updatePhase } from '../firmware.ts'
import { isoDate } from '../http/fields.ts'

// Apart from the calls of rollouts: every page of the web takes socket events, and only the staff's make those calls.

/** How many targets are in each phase; phases without targets may be absent. */
export const phaseCounts = z.partialRecord(updatePhase, z.int())
export type PhaseCounts = z.infer<typeof phaseCounts>

export const rolloutTarget = z.object({
  deviceId: z.string(),
  deviceMac: z.string(),
  phase: updatePhase,
  percent: z.number(),
  error: updateError.nullable(),
  changedAt: isoDate
})
export type RolloutTarget = z.infer<typeof rolloutTarget>

/** Socket event `rollout-progress`, to staff, at most four times a second a rollout. */
export const rolloutProgressEvent = z.object({
  id: z.string(),
  counts: phaseCounts,
  target: rolloutTarget.extend({ changedAt: z.int() }).optional()
})
export type RolloutProgressEvent = z.infer<typeof rolloutProgressEvent>
