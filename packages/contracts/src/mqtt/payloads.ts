import { z } from 'zod'
import { caPemMaxLength, levelMax, weekdays } from '../constants.ts'
import { withoutControlCharacters } from '../control-characters.ts'
import { bootId, commandId, epochMs, reportSeq } from '../ids.ts'
import type { DownTopic, UpTopic } from './topics.ts'

/** Wall-clock time `HH:MM`, 00:00 to 23:59. */
export const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time HH:MM between 00:00 and 23:59')
  .meta({ title: 'HH:MM' })
/** A calendar date `YYYY-MM-DD` that exists. */
export const calendarDate = z.iso.date('must be a date YYYY-MM-DD')

const port = z.int().min(1).max(65535)
const outletIndex = z.int().min(0).max(63)
const fanSpeed = z.int().min(0).max(levelMax)
/** What a board says beside its outlets. An invalid value counts as missing: it must not cause the message to be rejected. */
const fact = <Value>(value: z.ZodType<Value>) => value.optional().catch(undefined)
/** Signal strength in dBm, clamped to a signed byte. */
const rssi = fact(z.number().overwrite((dBm) => Math.round(Math.min(127, Math.max(-128, dBm)))))
const uptimeS = fact(z.number().min(0))
/** Text from a board, cut and stripped. */
const words = (maxLength: number) =>
  fact(z.string().overwrite((text) => withoutControlCharacters(text.slice(0, maxLength))))
const revision = fact(z.int().min(0))
/** The last instant that a `Date` can hold. */
const latestMs = 8_640_000_000_000_000
/** PEM, short enough to leave room for the rest of a packet. */
const caPem = z.string().min(1).max(caPemMaxLength)

const address = z.object({ host: z.string().min(1).max(253), port })

/** One outlet's new absolute value. */
export const switchSetting = z.object({ index: outletIndex, on: z.boolean().optional(), speed: fanSpeed.optional() })
export type SwitchSetting = z.infer<typeof switchSetting>

/** `down/switch-update`: absolute values. After `expiresAt` on the server's clock the board answers `expired`. */
export const switchUpdatePayload = z.object({
  id: commandId,
  set: z.array(switchSetting).min(1).max(64),
  expiresAt: epochMs
})
export type SwitchUpdatePayload = z.infer<typeof switchUpdatePayload>

/** `down/config-update`: what the owner changed. The board confirms `rev` as `configRev` in a report. */
export const configUpdatePayload = z.object({
  rev: z.int().min(0),
  activeColor: z.string().max(64).optional(),
  timezone: z.string().max(64).optional(),
  wifi: z.object({ ssid: z.string().min(1).max(32), password: z.string().max(64) }).optional(),
  api: address.optional(),
  /**
   * `caPem`: all CAs that the board must trust from its next connection on; replaces the earlier ones. Sent without an
   * address if the server knows no other than the one in use.
   */
  mqtt: z
    .object({ ...address.partial().shape, caPem: caPem.optional() })
    .refine(({ host, port: to }) => (host === undefined) === (to === undefined), 'host and port go together')
    .optional()
})
export type ConfigUpdatePayload = z.infer<typeof configUpdatePayload>

/** One entry of a board's own timetable; `id` is `<scheduleId>:start` or `<scheduleId>:end`. */
export const scheduleEntry = z.object({
  id: z.string().regex(/^[0-9a-f]{24}:(start|end)$/),
  index: outletIndex,
  on: z.boolean(),
  time: clockTime,
  repeat: z.enum(['once', 'daily', 'weekly']),
  days: z.array(z.enum(weekdays)).max(7).optional(),
  date: calendarDate.optional(),
  endDate: calendarDate.optional()
})
export type ScheduleEntry = z.infer<typeof scheduleEntry>

/** `down/schedules`: always the whole list. */
export const schedulesPayload = z.object({
  rev: z.int().min(0),
  timezone: z.string().max(64),
  entries: z.array(scheduleEntry).max(100)
})
export type SchedulesPayload = z.infer<typeof schedulesPayload>

/** `down/firmware-update`. `url` is absolute and valid for one hour. `size` in bytes, `sha256` in hexadecimal. */
export const firmwareUpdatePayload = z.object({
  id: commandId,
  url: z.url().max(1024),
  version: z.string().min(1).max(64),
  size: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/)
})
export type FirmwareUpdatePayload = z.infer<typeof firmwareUpdatePayload>

/** `down/ack`: the report is stored, or, with `rejected`, it was malformed and must not be sent again. */
export const ackPayload = z.object({
  bootId,
  seq: reportSeq,
  serverTime: epochMs,
  rejected: z.string().max(512).optional()
})
export type AckPayload = z.infer<typeof ackPayload>

export const reportCauses = ['boot', 'command', 'button', 'schedule', 'config', 'resync'] as const
export const reportResults = ['applied', 'expired', 'rejected'] as const

/** `up/update-from-device`: the board's whole state; `switch.length == speed.length ==` its number of outlets. */
export const deviceReport = z
  .object({
    bootId,
    seq: reportSeq,
    switch: z.array(z.boolean()).min(1).max(64),
    speed: z.array(fanSpeed).min(1).max(64),
    cause: z.enum(reportCauses),
    commandId: commandId.overwrite(withoutControlCharacters).optional(),
    result: z.enum(reportResults).optional(),
    reason: words(256),
    scheduleId: z.string().max(64).overwrite(withoutControlCharacters).optional(),
    occurredAt: fact(epochMs.max(latestMs)),
    changed: z.array(outletIndex).max(64).optional(),
    rssi,
    uptimeS,
    osVersion: words(64),
    localIp: words(64),
    configRev: revision,
    schedulesRev: revision
  })
  .refine((report) => report.switch.length === report.speed.length, {
    path: ['speed'],
    message: 'must be as long as switch'
  })
export type DeviceReport = z.infer<typeof deviceReport>

/** What is still readable of a malformed report, so that it can be acknowledged as `rejected`. */
export const reportIdentity = z.object({ bootId, seq: reportSeq })

/** `up/status`: the heartbeat and the last will. `conn` counts the connections of that boot. */
export const deviceStatus = z.object({
  online: z.boolean(),
  bootId,
  conn: z.int().min(0),
  rssi,
  uptimeS
})
export type DeviceStatus = z.infer<typeof deviceStatus>

/** `up/firmware-progress`. */
export const firmwareProgress = z.object({
  id: commandId,
  phase: z.enum(['download', 'verify', 'install', 'reboot', 'done', 'failed']),
  percent: z.number().min(0).max(100),
  error: words(256)
})
export type FirmwareProgress = z.infer<typeof firmwareProgress>

/** The payload schema of each topic, by the topic's last level. */
export const downPayloads = {
  'switch-update': switchUpdatePayload,
  'config-update': configUpdatePayload,
  schedules: schedulesPayload,
  'firmware-update': firmwareUpdatePayload,
  ack: ackPayload
} as const satisfies Record<DownTopic, z.ZodType>

export const upPayloads = {
  'update-from-device': deviceReport,
  status: deviceStatus,
  'firmware-progress': firmwareProgress
} as const satisfies Record<UpTopic, z.ZodType>
