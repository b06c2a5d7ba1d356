import type { AckPayload, ChangeCause } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino, type Logger } from 'pino'
import type { ActionLogDocument } from '../boards/reports/action-log.model.ts'
import { createDedupWindow } from '../boards/reports/dedup-window.ts'
import type { ReportNotice } from '../boards/reports/report-notice.ts'
import { createReports } from '../boards/reports/reports.ts'
import type { DeviceFields } from '../boards/registry/state-updates.ts'
import { createEventBus } from '../platform/events.ts'
import { createMetrics } from '../platform/http/metrics.ts'

const silent = pino({ level: 'silent' })
export const sita: ChangeCause = { by: 'user', userId: '65b000000000000000000001', userName: 'Sita', from: 'web' }
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Reports on a database that stores when the test says so. */
export function setUp(
  options: {
    log?: Logger
    hasRoom?: boolean
    rowsLeft?: number
    elsewhere?: Promise<ChangeCause>
    isLogged?: boolean | (() => Promise<boolean | undefined>)
    /** When a late report was overtaken, as the log says. */
    overtakenAt?: number
    /** A command of another instance that can be reached. */
    sentBy?: string
    awayUntil?: number
    upSince?: number
    /** How long a caller has waited for the answer to its command. */
    tookMs?: number
  } = {}
) {
  const { log = silent, isLogged = false } = options
  const rows: ActionLogDocument[] = []
  const acks: AckPayload[] = []
  const notices: ReportNotice[] = []
  const shown: { seq: number; isOn: boolean | undefined }[] = []
  const settled: (string | undefined)[] = []
  const repeated: object[] = []
  const handedOver: unknown[] = []
  const toPeers: object[] = []
  const states: object[] = []
  const keep =
    (when: 'now' | 'later') =>
    (_id: string, change: (earlier: DeviceFields | undefined) => DeviceFields): void => {
      const { _id: _, ...fields } = change({ _id: new Types.ObjectId(), wifiRSSI: -40 })
      states.push({ [when]: fields })
    }
  const events = createEventBus(log)
  const told: object[] = []
  for (const name of ['device-changed', 'device-booted', 'schedule-reported'] as const)
    events.on(name, (event) => void told.push({ [name]: event }))
  let release: (() => void)[] = []
  const clock = createFakeClock(1_700_000_000_000)
  let rowsLeft = options.rowsLeft ?? Infinity
  const reports = createReports({
    clock,
    awayUntil: () => options.awayUntil ?? Infinity,
    upSince: () => options.upSince ?? -Infinity,
    mayLog: (_deviceId, count) => (rowsLeft -= count) >= 0,
    store: {
      addLog: (row) => void rows.push(row),
      setState: keep('now'),
      setStateLater: keep('later'),
      gathered: () => new Promise((resolve) => release.push(resolve)),
      stored: () => new Promise((resolve) => release.push(resolve)),
      rowId: () => new Types.ObjectId(),
      findLogged: undefined,
      isHealthy: () => true,
      placeInLog: async () => {
        const found = typeof isLogged === 'function' ? await isLogged() : isLogged
        return found === undefined ? undefined : { isLogged: found, overtakenAt: options.overtakenAt }
      },
      hasRoom: () => options.hasRoom ?? true
    },
    commands: {
      tookMsOf: () => options.tookMs ?? null,
      keepCause: () => undefined,
      causeOf: (_deviceId, commandId) => (commandId === 'c-1' ? sita : undefined),
      repeatOf: (_deviceId, { commandId, result }) =>
        result === 'expired' ? () => void repeated.push({ commandId, acknowledged: acks.length }) : null,
      settle: (_deviceId, { commandId }) => void settled.push(commandId)
    },
    recent: createDedupWindow(),
    peers: {
      report: (_device, { report: { seq }, isLate }) => void toPeers.push({ seq, isLate }),
      explained: (_deviceId, indexes) => void toPeers.push({ explained: indexes }),
      handOver(_deviceId, answer) {
        if (answer.commandId !== options.sentBy) return false
        handedOver.push(answer)
        return true
      }
    },
    findCause: (_deviceId, commandId) =>
      options.elsewhere ?? Promise.resolve(commandId === 'sent-elsewhere' ? sita : undefined),
    events,
    metrics: createMetrics(),
    log,
    ack: (_deviceId, payload) => void acks.push(payload),
    notify(device, report) {
      notices.push(report)
      shown.push({ seq: device.seq, isOn: device.outlets[0]?.on })
    }
  })
  const store = async (): Promise<void> => {
    for (const resolve of release) resolve()
    release = []
    await turn()
  }
  const allow = (count: number): void => void (rowsLeft = count)
  return {
    takeReport: reports.take,
    reports,
    clock,
    allow,
    handedOver,
    rows,
    acks,
    notices,
    shown,
    settled,
    repeated,
    told,
    toPeers,
    states,
    store
  }
}

export const report = (fields: object = {}) => ({
  bootId: 'boot-0001',
  seq: 1,
  switch: [true, false, false, false],
  speed: [0, 0, 0, 0],
  cause: 'command',
  commandId: 'c-1',
  result: 'applied',
  ...fields
})
