import {
  deviceReport,
  reportIdentity,
  statesToWire,
  type AckPayload,
  type ChangeCause,
  type DeviceReport,
  type Outlet
} from '@batti/contracts'
import { Types } from 'mongoose'
import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import type { EventBus, OutletChange } from '../../platform/events.ts'
import type { ActionLogDocument, ReportName } from './action-log.model.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { adoptReport, judgeReport, type ReportOutcome } from './apply-report.ts'
import type { Commands } from '../commands/commands.ts'
import { asOwnerSees, causeOf } from './report-cause.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { PeerVoice } from '../peers/peer-voice.ts'
import { createHeldRows } from './held-rows.ts'
import { factsOf, happenedAt, isInLogAlone, logRow } from './report-row.ts'
import type { DedupWindow } from './dedup-window.ts'

export interface ReportsOptions {
  clock: Clock
  store: Pick<DeviceStore, 'addLog' | 'setState' | 'setStateLater' | 'gathered' | 'hasRoom' | 'rowId' | 'isLogged'>
  commands: Pick<Commands, 'causeOf' | 'settle' | 'tookMsOf'>
  /** What this process has taken of each board. */
  recent: Pick<DedupWindow, 'has' | 'note' | 'covers'>
  /** The cause of a command that another api instance sent, or an earlier life of this one; undefined: nobody did. */
  findCause(deviceId: string, commandId: string): Promise<ChangeCause | undefined>
  events: EventBus
  metrics: Pick<Metrics, 'reports'>
  log: Logger
  /** Whether the board may write so many rows of the log now. */
  mayLog(deviceId: string, rows: number): boolean
  ack(deviceId: string, payload: AckPayload): void
  /** Tells the open screens. */
  notify(device: LiveDevice, notice: ReportNotice): void
  /** Other instances: what they did not hear by themselves they are told. */
  peers: Pick<PeerVoice, 'report' | 'explained' | 'handOver'>
}

export interface ReportNotice {
  changed: readonly OutletChange[]
  cause: ChangeCause
  commandId: string | undefined
  at: number
}

/** A report that has been taken into memory, with what it meets there. */
interface TakenReport {
  device: LiveDevice
  after: LiveDevice
  before: readonly Outlet[]
  report: DeviceReport
  outcome: Exclude<ReportOutcome, { kind: 'misfit' }>
  at: number
}

/** Takes boards' reports: state to the screens at once, to the database in parallel, and the ack after that. */
export function createReports(options: ReportsOptions) {
  const { clock, store, commands, recent, events, metrics, log, ack, peers } = options

  const held = createHeldRows(clock, write)
  /** Reports whose cause, or whether they are stored, is being asked. */
  const beingLookedUp = new Map<string, Promise<void>>()

  /** Answers false when the payload was wrong: too many of those end the connection. */
  function take(device: LiveDevice, payload: unknown): boolean {
    const parsed = deviceReport.safeParse(payload)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      reject(device, payload, issue === undefined ? 'not a report' : `${issue.path.join('.')}: ${issue.message}`)
      return false
    }
    const report = parsed.data
    const outcome = judgeReport(device, report)
    if (outcome.kind === 'misfit') {
      reject(device, report, outcome.reason)
      return false
    }
    const { commandId } = report
    const known = commandId === undefined ? undefined : commands.causeOf(device.id, commandId)
    const isForeign = report.cause === 'command' && commandId !== undefined && known === undefined
    // Who sent the command knows why, waits for the answer and tells everybody.
    if (isForeign && peers.handOver(device.id, report)) return true
    if (!store.hasRoom()) {
      metrics.reports.inc({ outcome: 'deferred' })
      return true
    }
    if (held.has(device.id, report)) {
      metrics.reports.inc({ outcome: 'repeated' })
      return true
    }
    if (outcome.kind === 'late' && recent.has(device.id, report)) {
      metrics.reports.inc({ outcome: 'repeated' })
      acknowledge(device.id, report)
      return true
    }
    const name = nameOf(device.id, report)
    const looking = beingLookedUp.get(name)
    if (looking !== undefined) {
      metrics.reports.inc({ outcome: 'repeated' })
      void looking.then(() => acknowledge(device.id, report))
      return true
    }
    const before = device.outlets
    if (outcome.kind === 'applied') adoptReport(device, report, clock.now())
    const taken: TakenReport = { device, after: device, before, report, outcome, at: clock.now() }
    // Taken by an earlier life of this process, perhaps: then only its acknowledgement was lost.
    const isWaitedFor = commands.tookMsOf(commandId) !== null
    const mayBeLogged =
      outcome.kind === 'late' && outcome.changed.length > 0 && !isWaitedFor && !recent.covers(device.id, report)
    if (!isForeign && !mayBeLogged) {
      record(taken, causeOf(report, known))
      return true
    }
    // As it is after this very report: another may come while this one is looked up.
    const looked = lookUpAndRecord({ ...taken, after: { ...device } }, { known, isForeign, mayBeLogged })
    beingLookedUp.set(
      name,
      looked.finally(() => beingLookedUp.delete(name))
    )
    return true
  }

  async function lookUpAndRecord(
    taken: TakenReport,
    look: { known: ChangeCause | undefined; isForeign: boolean; mayBeLogged: boolean }
  ): Promise<void> {
    const { device, report } = taken
    if (look.mayBeLogged && (await isLogged(device.id, report))) {
      recent.note(device.id, report, { isLate: true })
      metrics.reports.inc({ outcome: 'repeated' })
      acknowledge(device.id, report)
      return
    }
    // Another instance sent the command, and stores it a moment after it has left: until then nobody is told a guess.
    const { commandId } = report
    const found = look.isForeign && commandId !== undefined ? await findCause(device.id, commandId) : look.known
    record(taken, causeOf(report, found))
  }

  function findCause(deviceId: string, commandId: string): Promise<ChangeCause | undefined> {
    return options.findCause(deviceId, commandId).catch((error: unknown) => {
      log.warn({ err: error, deviceId }, 'the cause of a command could not be looked up')
      return undefined
    })
  }

  /** A row too many is a smaller fault than one too few. */
  function isLogged(deviceId: string, report: DeviceReport): Promise<boolean> {
    return store.isLogged(deviceId, report).catch((error: unknown) => {
      log.warn({ err: error, deviceId }, 'the log of a board could not be read')
      return false
    })
  }

  /** Tells the screens, stores what changed and why, and acknowledges once that is stored. */
  function record({ device, after, before, report, outcome, at }: TakenReport, found: ChangeCause): void {
    const cause = asOwnerSees(found, device.userId)
    const tookMs = commands.tookMsOf(report.commandId)
    if (outcome.kind === 'applied') {
      const facts = factsOf(report)
      if (report.rssi !== undefined) device.wifiRSSI = report.rssi
      notify(after, report, facts, { changed: outcome.changed, cause, commandId: report.commandId, at })
      if (facts !== null)
        events.emit('device-changed', { deviceId: device.id, deviceMac: device.mac, update: facts, at })
      saveState(device, report, at)
      if (report.cause === 'boot') events.emit('device-booted', { deviceId: device.id, bootId: report.bootId })
    }
    // A newer one was faster, and its screens show the state: whoever waits for this command has still to hear of it.
    else if (tookMs !== null)
      notify(device, report, null, { changed: outcome.changed, cause, commandId: report.commandId, at })
    commands.settle(device.id, report)
    const rows = outcome.changed.map((change) => ({
      _id: store.rowId(device.id, report, change.index),
      ...logRow(after, report, change, { cause, before, now: at, tookMs })
    }))
    const isAllowed = rows.length === 0 || options.mayLog(device.id, rows.length)
    metrics.reports.inc({ outcome: outcome.kind })
    if (report.cause === 'schedule' && report.scheduleId !== undefined) {
      const occurredAt = happenedAt(report, at)
      events.emit('schedule-reported', { deviceId: device.id, entryId: report.scheduleId, occurredAt })
    }
    // Not acknowledged, it comes again, and its rows with it.
    if (!isAllowed) return
    // What a report of before still has to say is not told twice: once as found, and once with its cause.
    if (outcome.kind === 'applied' && outcome.mayBeExplained && rows.length > 0) {
      held.keep(device.id, report, rows)
      return
    }
    if (outcome.kind === 'late' && outcome.changed.length > 0) {
      const indexes = outcome.changed.map(({ index }) => index)
      held.explain(device.id, indexes)
      peers.explained(device.id, indexes)
    }
    write(device.id, report, rows, { isLate: outcome.kind === 'late' })
  }

  function notify(
    device: LiveDevice,
    report: DeviceReport,
    facts: Record<string, string | number> | null,
    notice: ReportNotice
  ): void {
    options.notify(device, notice)
    const isLate = report.bootId !== device.bootId || report.seq < device.seq
    peers.report(device, { notice, report, facts, isLate })
  }

  function write(
    deviceId: string,
    report: ReportName,
    rows: readonly ActionLogDocument[],
    { isLate } = { isLate: false }
  ): void {
    recent.note(deviceId, report, { isLate })
    for (const row of rows) store.addLog(row)
    acknowledge(deviceId, report)
  }

  /** Once what the report brought is stored. */
  function acknowledge(deviceId: string, { bootId, seq }: ReportName): void {
    void store.gathered().then(() => ack(deviceId, { bootId, seq, serverTime: clock.now() }))
  }

  /** States of outlets stand in the log, too, and are restored from it; what else a board said is written now. */
  function saveState(device: LiveDevice, report: DeviceReport, now: number): void {
    const facts = factsOf(report)
    const save = isInLogAlone(report) ? store.setStateLater : store.setState
    save(device.id, (earlier) => ({
      ...earlier,
      _id: new Types.ObjectId(device.id),
      ...statesToWire(device.outlets),
      bootId: device.bootId,
      seq: device.seq,
      earlierBoots: device.earlierBoots,
      stateAt: device.stateAt,
      configConfirmedRev: device.configConfirmedRev,
      schedulesConfirmedRev: device.schedulesConfirmedRev,
      lastSeen: new Date(now),
      ...(facts?.['osVersion'] === undefined ? {} : { osBootId: device.bootId }),
      ...facts
    }))
  }

  function reject(device: LiveDevice, payload: unknown, reason: string): void {
    metrics.reports.inc({ outcome: 'rejected' })
    log.warn({ deviceId: device.id, reason }, 'a board sent a report of the wrong shape')
    const identity = reportIdentity.safeParse(payload)
    if (identity.success) ack(device.id, { ...identity.data, serverTime: clock.now(), rejected: reason.slice(0, 512) })
  }

  /** Whether this process heard it: it was told here, or is told as soon as its cause is known. */
  const wasTaken = (deviceId: string, report: ReportName): boolean =>
    recent.has(deviceId, report) || beingLookedUp.has(nameOf(deviceId, report))

  return { take, wasTaken, explain: held.explain, sweep: held.sweep, forget: held.forget }
}

const nameOf = (deviceId: string, { bootId, seq }: ReportName): string => `${deviceId} ${bootId} ${seq}`
