import { z } from 'zod'
import { epochMs } from '../ids.ts'

/** Calls outside the api base: for load balancers, Prometheus, and people who try the demo. */
export const healthPath = '/healthz'
export const readyPath = '/readyz'
export const metricsPath = '/metrics'
export const outboxPath = '/dev/outbox'
/** The same messages on the internal address, for whoever knows its secret: `GET`, bearer, JSON. */
export const internalOutboxPath = '/internal/outbox'

/** One message that a demo would have sent; `GET /dev/outbox` lists them newest first, `?to=` narrows to one receiver. */
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
