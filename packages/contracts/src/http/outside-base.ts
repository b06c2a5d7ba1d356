import { z } from 'zod'
import { epochMs } from '../ids.ts'

/** One message that a demo would have sent. `GET /dev/outbox` lists them newest first; `?to=` filters by receiver. */
export const outboxMessage = z.object({
  id: z.string(),
  kind: z.enum(['mail', 'sms']),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  at: epochMs
})
export type OutboxMessage = z.infer<typeof outboxMessage>
