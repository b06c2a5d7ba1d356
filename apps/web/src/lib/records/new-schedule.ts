import type { createSchedule } from '@batti/contracts'
import type { CallOptions } from '@batti/client/request'

export type NewSchedule = CallOptions<typeof createSchedule>['body']
