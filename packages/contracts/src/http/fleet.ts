import { z } from 'zod'
import { healthReason, healthReasons } from './device-filter.ts'
import { commaList, idParams, isoDate, pageInfo, pageQuery } from './fields.ts'
import { everyoneWith, route, staffWith } from './route.ts'
import { refusalsOfHour } from './unauthorized-logs.ts'

/** From one instant to another. */
const span = z.tuple([isoDate, isoDate])

/** The fleet in figures. boards = online + offline + neverSeen; the five after that are subsets. */
export const fleetRecord = z.object({
  boards: z.int(),
  online: z.int(),
  offline: z.int(),
  neverSeen: z.int(),
  weakSignal: z.int(),
  flapping: z.int(),
  silent: z.int(),
  failing: z.int(),
  outdated: z.int(),
  versions: z.array(z.object({ hwModel: z.string(), osVersion: z.string(), count: z.int() })),
  /** Boards online at the end of each hour; `at` is its beginning. The last hour is the current one. */
  onlineByHour: z.array(z.object({ at: isoDate, online: z.int() })),
  /** The outcomes of commands that were sent in that hour. */
  commandsByHour: z.array(
    z.object({ at: isoDate, confirmed: z.int(), expired: z.int(), offline: z.int(), p95Ms: z.int().nullable() })
  ),
  /** Refused requests by hour. */
  byHour: z.array(refusalsOfHour)
})
export type FleetRecord = z.infer<typeof fleetRecord>

export const getFleet = route({
  method: 'get',
  path: '/fleet',
  summary: 'All boards in figures: presence, health, versions, the last 24 hours',
  access: staffWith('view devices'),
  answer: fleetRecord
})

/** A board that needs attention, with the heaviest of the requested reasons. */
export const attentionRecord = z.object({
  device: z.object({
    _id: z.string(),
    deviceMac: z.string(),
    setName: z.string(),
    owner: z.object({ _id: z.string(), name: z.string() }).nullable()
  }),
  reason: healthReason,
  since: isoDate.nullable(),
  online24h: z.array(span)
})
export type AttentionRecord = z.infer<typeof attentionRecord>

export const listFleetAttention = route({
  method: 'get',
  path: '/fleet/attention',
  summary: 'Boards that need a hand, worst first',
  access: staffWith('view devices'),
  query: z.object({
    reason: commaList(healthReasons).optional(),
    limit: pageQuery.shape.limit.default(20),
    page: pageQuery.shape.page.default(1)
  }),
  rows: 'boards',
  answer: z.object({ boards: z.array(attentionRecord) })
})

export const deviceEventKinds = [
  'online',
  'offline',
  'boot',
  'claimed',
  'released',
  'config',
  'schedules',
  'firmware',
  'refused'
] as const
export type DeviceEventKind = (typeof deviceEventKinds)[number]

/** An event of a board; `detail` says more, for people. */
export const deviceEventRecord = z.object({
  at: isoDate,
  kind: z.enum(deviceEventKinds),
  detail: z.string().nullable()
})
export type DeviceEventRecord = z.infer<typeof deviceEventRecord>

export const listDeviceEvents = route({
  method: 'get',
  path: '/devices/{id}/events',
  summary: 'What happened to a board in 30 days, newest first; its owner sees what happened since it became theirs',
  access: everyoneWith('view devices'),
  params: idParams,
  query: pageQuery.omit({ search: true }).extend({ kind: z.enum(deviceEventKinds).optional() }),
  rows: 'events',
  answer: z.object({ events: z.array(deviceEventRecord), ...pageInfo })
})

export const deviceHistory = z.object({
  presence: z.array(span),
  rssi: z.array(z.object({ at: isoDate, value: z.int() })),
  boots: z.array(isoDate),
  commands: z.array(
    z.object({
      at: isoDate,
      result: z.enum(['confirmed', 'expired', 'rejected']),
      ms: z.int().nullable(),
      by: z.string().nullable()
    })
  )
})
export type DeviceHistory = z.infer<typeof deviceHistory>

export const getDeviceHistory = route({
  method: 'get',
  path: '/devices/{id}/history',
  summary: 'When a board was online, its signal, its boots and its commands, over one day or seven',
  access: everyoneWith('view devices'),
  params: idParams,
  query: z.object({
    days: z
      .enum(['1', '7'], 'must be 1 or 7')
      .default('1')
      .transform((days) => (days === '7' ? 7 : 1))
  }),
  answer: deviceHistory
})
