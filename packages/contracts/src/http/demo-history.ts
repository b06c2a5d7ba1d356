import { z } from 'zod'
import { objectId } from '../ids.ts'
import { levelMax } from '../constants.ts'

/**
 * An earlier history of the demo's switches. Sent by the launcher on the internal address, only where the demo has an
 * outbox. Oldest first; every switch begins off.
 */
export const demoHistory = z.object({
  /** The person's name, for changes by a person. */
  userName: z.string(),
  changes: z
    .array(
      z.object({
        deviceId: objectId,
        switchIndex: z.int().min(0).max(63),
        on: z.boolean(),
        level: z.int().min(0).max(levelMax).optional(),
        /** Milliseconds since the epoch. */
        at: z.int(),
        by: z.enum(['user', 'button', 'schedule']),
        scheduleId: objectId.optional()
      })
    )
    .max(2000)
})
export type DemoHistory = z.infer<typeof demoHistory>
export type DemoChange = DemoHistory['changes'][number]
