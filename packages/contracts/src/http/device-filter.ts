import { z } from 'zod'
import { objectId } from '../ids.ts'

/** What can be wrong with a board, by the words that its health names. */
export const healthReasons = ['silent', 'failing', 'flapping', 'weak', 'outdated', 'never-seen'] as const
export type HealthReason = (typeof healthReasons)[number]

/** Which boards are meant: one schema for the list of boards, for rollouts and for bulk changes. `{}` means all. */
export const deviceFilter = z.object({
  status: z.enum(['online', 'offline']).optional(),
  health: z.enum(healthReasons).optional(),
  hwModel: z.string().max(64).optional(),
  osVersion: z.string().max(64).optional(),
  roomId: objectId.optional(),
  userId: objectId.optional(),
  label: z.string().max(32).optional(),
  search: z.string().max(200).optional()
})
export type DeviceFilter = z.infer<typeof deviceFilter>
