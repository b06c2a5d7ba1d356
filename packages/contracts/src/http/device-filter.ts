import { z } from 'zod'
import { searchTerm, searchText } from './fields.ts'
import { objectId } from '../ids.ts'

/** What may be wrong with a board, the worst first. */
export const healthReasons = ['silent', 'failing', 'flapping', 'weak', 'outdated', 'never-seen'] as const
export const healthReason = z.enum(healthReasons)
export type HealthReason = z.infer<typeof healthReason>

/** 100 minus the weights of the reasons; 0 for a board that was never seen. */
export const deviceHealth = z.object({ score: z.int().min(0).max(100), reasons: z.array(healthReason) })
export type DeviceHealth = z.infer<typeof deviceHealth>

/** Selects boards, in `GET /devices`, rollouts and bulk calls. An empty filter means all boards: see `writtenFilter`. */
export const deviceFilter = z.object({
  status: z.enum(['online', 'offline']).optional(),
  health: healthReason.optional(),
  hwModel: searchText(64).optional(),
  osVersion: searchText(64).optional(),
  roomId: objectId.optional(),
  userId: objectId.optional(),
  label: searchText(32).optional(),
  search: searchTerm.optional()
})
export type DeviceFilter = z.infer<typeof deviceFilter>

/** The filter of calls that change boards. Strict, because ignoring a misspelt field would select all boards. */
export const writtenFilter = z.strictObject(deviceFilter.shape, {
  error: (issue) => (issue.code === 'unrecognized_keys' ? `has no field ${issue.keys?.join(', ')}` : undefined)
})
