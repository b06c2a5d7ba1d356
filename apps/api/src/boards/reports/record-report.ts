import type { ReportNotice } from './report-notice.ts'
import { statesToWire, type AckPayload, type ChangeCause, type DeviceReport, type Outlet } from '@batti/contracts'
import { Types } from 'mongoose'
import type { Clock } from '@batti/kit/clock'
import type { EventBus, OutletChange } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { Commands } from '../commands/commands.ts'
import type { PeerPublisher } from '../peers/peer-publisher.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { ActionLogDocument, ReportName } from './action-log.model.ts'
import type { ReportOutcome } from './apply-report.ts'
import type { DedupWindow } from './dedup-window.ts'
import { createGaps } from './gaps.ts'
import { createHeldRows } from './held-rows.ts'
import type { OwnedBoard } from './lookups-under-way.ts'
import { createPostponedRows } from './postponed-rows.ts'
import { asOwnerSees, causeOf } from './report-cause.ts'
import { factsOf, happenedAt, isInLogAlone, logRow } from './report-row.ts'

export interface ReportRecorderOptions {
  clock: Clock
  store: Pick<
    DeviceStore,
    'addLog' | 'setState' | 'setStateLater' | 'gathered' | 'stored' | 'rowId' | 'findLogged' | 'isHealthy'
  >
  commands: Pick<Commands, 'settle' | 'tookMsOf' | 'keepCause' | 'repeatOf'>
  /** The reports that this process has accepted of each board. */
  recent: Pick<DedupWindow, 'note'>
  events: EventBus
  metrics: Pick<Metrics, 'reports'>
  /** Until when the board may have been offline; Infinity where that is unknown. */
  awayUntil(device: LiveDevice): number
  /** Since when the boards can be reached again, on the monotonic clock; null while they cannot. */
  upSince(): number | null
  /** Whether the board may write that many log rows now. */
  mayLog(board: OwnedBoard, rows: number): boolean
  ack(deviceId: string, payload: AckPayload): void
  /** Notifies the open screens. */
  notify(device: LiveDevice, notice: ReportNotice): void
  /** Other instances, which are told what they did not receive themselves. */
  peers: Pick<PeerPublisher, 'report' | 'explained'>
}

/** A report that was accepted into memory, with the state it met there. */
export interface TakenReport {
  device: LiveDevice
  after: LiveDevice
  before: readonly Outlet[]
  report: DeviceReport
  outcome: Exclude<ReportOutcome, { kind: 'misfit' }>
  at: number
  /** For a late report: a time just before the one that overtook it, as the log says. */
  overtakenAt?: number | undefined
}

/** Handles an accepted report whose cause is known: screens, log and acknowledgement. */
export function createReportRecorder(options: ReportRecorderOptions) {
  const { clock, store, commands, recent, events, metrics, ack, peers } = options
  const held = createHeldRows({
    clock,
    upSince: options.upSince,
    isStoring: store.isHealthy,
    findLogged: store.findLogged,
    write
  })
  const postponed = createPostponedRows()
  const gaps = createGaps()

  /** Notifies the screens, stores the changes with their cause, and acknowledges the report once that is stored. */
  function record(taken: TakenReport, found: ChangeCause): void {
    const { device, after, before, outcome, at } = taken
    const repeat = commands.repeatOf(device.id, taken.report)
    // The answer to the repeated command is the one that counts.
    const report = repeat === null ? taken.report : { ...taken.report, commandId: undefined }
    const cause = asOwnerSees(found, device.userId)
    const tookMs = commands.tookMsOf(device.id, report.commandId)
    const occurredAt = happenedAt(report, { now: at, awayUntil: options.awayUntil(after) })
    if (outcome.kind === 'applied') {
      const facts = factsOf(report, device)
      Object.assign(device, facts)
      notify(after, report, facts, { changed: outcome.changed, cause, commandId: report.commandId, at })
      if (facts !== null)
        events.emit('device-changed', { deviceId: device.id, deviceMac: device.mac, update: facts, at })
      saveState(device, report, { at, isInLog: isInLogAlone(report) && outcome.found.length === 0 })
      if (report.cause === 'boot') events.emit('device-booted', { deviceId: device.id, bootId: report.bootId })
      if (report.cause === 'config')
        events.emit('settings-answered', { deviceId: device.id, refusal: refusalOf(report) })
    }
    // A newer report was faster, so screens show the state already. The caller that waits for this command must still be told.
    else if (tookMs !== null)
      notify(device, report, null, { changed: outcome.changed, cause, commandId: report.commandId, at })
    commands.settle(device.id, report)
    const overtakenAt = gaps.timeOf(device.id, report) ?? taken.overtakenAt
    const rowsOf = (changes: readonly OutletChange[], said: DeviceReport, why: ChangeCause, took: number | null) =>
      changes.map((change) => ({
        _id: store.rowId(device.id, report, change.index),
        ...logRow(after, said, change, { cause: why, before, happenedAt: occurredAt, overtakenAt, tookMs: took })
      }))
    const rows = rowsOf(outcome.changed, report, cause, tookMs)
    const asFound: DeviceReport = { ...report, cause: 'resync', commandId: undefined, scheduleId: undefined }
    const unnamed = rowsOf(outcome.found, asFound, causeOf(asFound, undefined), null)
    const count = rows.length + unnamed.length
    const isAllowed = count === 0 || options.mayLog(device, count)
    metrics.reports.inc({ outcome: outcome.kind })
    if (report.cause === 'schedule' && report.scheduleId !== undefined) {
      events.emit('schedule-reported', { deviceId: device.id, entryId: report.scheduleId, occurredAt })
    }
    const { scheduleId } = cause
    const { commandId, switch: switches } = report
    if (scheduleId !== undefined && commandId !== undefined && tookMs === null && isExecuted(report)) {
      events.emit('schedule-answered', { deviceId: device.id, scheduleId, commandId, switches, occurredAt })
    }
    // Not acknowledged, so the board repeats the report, and with it the rows.
    if (!isAllowed) {
      postponed.note(device.id, report, { changed: indexesOf(outcome.changed), found: indexesOf(outcome.found) })
      held.noteDeferred(device.id)
      if (outcome.kind === 'applied') gaps.postpone(device.id, report, at)
      if (commandId !== undefined && found.by !== 'unknown') commands.keepCause(device.id, commandId, found)
      return
    }
    postponed.drop(device.id, report)
    // Held back, because an earlier report may still explain these changes: they must not be logged twice.
    if (unnamed.length > 0) held.keep(device.id, null, unnamed)
    if (outcome.kind === 'applied' && outcome.mayBeExplained && rows.length > 0) {
      held.keep(device.id, report, rows)
      return
    }
    if (outcome.kind === 'late' && outcome.changed.length > 0) {
      const indexes = indexesOf(outcome.changed)
      held.explain(device.id, indexes)
      // An answer that is waited for was sent to the other instances above.
      if (tookMs === null) peers.explained(device.id, indexes)
    }
    write(device.id, report, rows, { isLate: outcome.kind === 'late' })
    // After the acknowledgement, from which the board learns the time.
    if (repeat !== null) void store.stored().then(repeat)
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
    report: ReportName | null,
    rows: readonly ActionLogDocument[],
    { isLate } = { isLate: false }
  ): void {
    for (const row of rows) store.addLog(row)
    if (report === null) return
    recent.note(deviceId, report, { isLate })
    acknowledge(deviceId, report)
  }

  /** Acknowledges a report once everything that it brought is stored. */
  function acknowledge(deviceId: string, { bootId, seq }: ReportName): void {
    void store.gathered().then(() => ack(deviceId, { bootId, seq, serverTime: clock.now() }))
  }

  /** States that are in the log as well can be restored from it; everything else is written now. */
  function saveState(
    device: LiveDevice,
    report: DeviceReport,
    { at, isInLog }: { at: number; isInLog: boolean }
  ): void {
    const facts = factsOf(report)
    const save = isInLog ? store.setStateLater : store.setState
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
      lastSeen: new Date(at),
      ...(facts?.['osVersion'] === undefined ? {} : { osBootId: device.bootId }),
      ...facts
    }))
  }

  return { record, acknowledge, held, postponed, gaps }
}

const isExecuted = ({ cause, result }: DeviceReport): boolean =>
  cause === 'command' && result !== 'expired' && result !== 'rejected'

const refusalOf = ({ result, reason }: DeviceReport): string | null => (result === 'rejected' ? (reason ?? '') : null)

const indexesOf = (changes: readonly OutletChange[]): number[] => changes.map(({ index }) => index)
