import { z } from 'zod'
import { updateError, updatePhase } from '../firmware.ts'
import { isoDate } from '../http/fields.ts'

// Separate from the rollout calls: every page of the web loads the socket events, but only staff pages load those calls.

/** The number of targets in each phase; phases without targets may be absent. */
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

/** Socket event `rollout-progress`, to staff, at most four times a second per rollout. */
export const rolloutProgressEvent = z.object({
  id: z.string(),
  counts: phaseCounts,
  target: rolloutTarget.extend({ changedAt: z.int() }).optional()
})
export type RolloutProgressEvent = z.infer<typeof rolloutProgressEvent>
