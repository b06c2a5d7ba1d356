import { deviceReport, reportIdentity, type ChangeCause } from '@batti/contracts'
import { isRecord } from '@batti/kit/json'
import type { Logger } from 'pino'
import { createLimitByKey } from '../../platform/limit-by-key.ts'
import type { Commands } from '../commands/commands.ts'
import type { PeerPublisher } from '../peers/peer-publisher.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { ReportName } from './action-log.model.ts'
import { adoptReport, judgeReport, timeOfNext } from './apply-report.ts'
import { complaintRate } from './complaint-rate.ts'
import type { DedupWindow } from './dedup-window.ts'
import { createLookupsUnderWay, type OwnedBoard } from './lookups-under-way.ts'
import { createReportRecorder, type ReportRecorderOptions, type TakenReport } from './record-report.ts'
import { causeOf } from './report-cause.ts'

export interface ReportsOptions extends ReportRecorderOptions {
  store: ReportRecorderOptions['store'] & Pick<DeviceStore, 'hasRoom' | 'placeInLog'>
  commands: ReportRecorderOptions['commands'] & Pick<Commands, 'causeOf'>
  recent: Pick<DedupWindow, 'has' | 'note' | 'covers'>
  /** Returns the cause of a command that another instance, or this one before a restart, sent; undefined if there was none. */
  findCause(board: OwnedBoard, commandId: string): Promise<ChangeCause | undefined>
  log: Logger
  peers: ReportRecorderOptions['peers'] & Pick<PeerPublisher, 'handOver'>
}

/** The command id alone says which instance sent the command, so nothing else is parsed here. */
const isAnswer = (payload: unknown): payload is { commandId: string } =>
  isRecord(payload) && payload['cause'] === 'command' && typeof payload['commandId'] === 'string'

/** Accepts boards' reports: state to the screens at once, to the database in parallel, and then the ack. */
export function createReports(options: ReportsOptions) {
  const { clock, store, commands, recent, metrics, log, ack, peers } = options
  const { record, acknowledge, held, postponed, gaps } = createReportRecorder(options)
  /** Reports whose cause, or presence in the log, is being looked up. */
  const beingLookedUp = createLookupsUnderWay()
  const mayComplain = createLimitByKey(complaintRate, clock.monotonic)

  /**
   * Returns false for a malformed payload: too many of those close the connection. `arrivedAt`: when another instance received it,
   * which may have stored the board's next report meanwhile.
   */
  function take(device: LiveDevice, payload: unknown, arrivedAt = Infinity): boolean {
    // The instance that sent the command handles its answer: it knows the cause, waits for the answer and notifies the others.
    if (isAnswer(payload) && peers.handOver(device.id, payload)) return true
    const parsed = deviceReport.safeParse(payload)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      reject(device, payload, issue === undefined ? 'not a report' : `${issue.path.join('.')}: ${issue.message}`)
      return false
    }
    const report = parsed.data
    const outcome = judgeReport(device, report, postponed.of(device.id, report))
    if (outcome.kind === 'misfit') {
      reject(device, report, outcome.reason)
      return false
    }
    const { commandId } = report
    const known = commandId === undefined ? undefined : commands.causeOf(device.id, commandId)
    const isForeign = report.cause === 'command' && commandId !== undefined && known === undefined
    if (!store.hasRoom()) {
      defer(device.id)
      return true
    }
    if (isRepetition(device.id, report, { isLate: outcome.kind === 'late' })) return true
    // The report may have been stored before a restart of this process, so that only its acknowledgement was lost. Or another
    // instance took it and was killed before it stored it: then only the log says what overtook it.
    const isWaitedFor = commands.tookMsOf(device.id, commandId) !== null
    const hasRows = outcome.changed.length + outcome.found.length > 0
    const isPlaced = recent.covers(device.id, report) && gaps.timeOf(device.id, report) !== undefined
    const mayBeLogged = outcome.kind === 'late' && hasRows && !isWaitedFor && !isPlaced
    const needsLookup = isForeign || mayBeLogged
    if (needsLookup && !beingLookedUp.hasRoom(device)) {
      defer(device.id)
      return true
    }
    const before = device.outlets
    const now = Math.min(arrivedAt, clock.now())
    const at = outcome.kind === 'applied' ? timeOfNext(device, now) : now
    if (outcome.kind === 'applied') {
      gaps.note(device, report, at)
      adoptReport(device, report, at)
    }
    const taken: TakenReport = { device, after: device, before, report, outcome, at }
    if (!needsLookup) {
      record(taken, causeOf(report, known))
      return true
    }
    // Until it is recorded, it may still explain what is held.
    if (mayBeLogged) held.noteDeferred(device.id)
    // A snapshot of the device after this report, because another may arrive during the lookup.
    const looked = lookUpAndRecord({ ...taken, after: { ...device } }, { known, isForeign, mayBeLogged })
    beingLookedUp.add(nameOf(device.id, report), device, looked)
    return true
  }

  /** Whether this process has accepted the report before. What is stored of it is acknowledged again. */
  function isRepetition(deviceId: string, report: ReportName, { isLate }: { isLate: boolean }): boolean {
    if (!held.has(deviceId, report)) {
      const looking = beingLookedUp.of(nameOf(deviceId, report))
      if (isLate && recent.has(deviceId, report)) acknowledge(deviceId, report)
      else if (looking === undefined) return false
      else {
        held.noteDeferred(deviceId)
        // Not if its rows were postponed: the board must repeat it.
        void looking.then(() => recent.has(deviceId, report) && acknowledge(deviceId, report))
      }
    }
    metrics.reports.inc({ outcome: 'repeated' })
    return true
  }

  async function lookUpAndRecord(
    taken: TakenReport,
    look: { known: ChangeCause | undefined; isForeign: boolean; mayBeLogged: boolean }
  ): Promise<void> {
    const { device, report } = taken
    const place = look.mayBeLogged ? await store.placeInLog(device, report) : { isLogged: false }
    if (place === undefined) {
      // Recorded now, it might be in the log twice.
      defer(device.id)
      return
    }
    if (place.isLogged) {
      recent.note(device.id, report, { isLate: true })
      metrics.reports.inc({ outcome: 'repeated' })
      acknowledge(device.id, report)
      return
    }
    // Another instance sent the command and stores it shortly afterwards. Until it is found, no guess is announced.
    const { commandId } = report
    const found = look.isForeign && commandId !== undefined ? await findCause(device, commandId) : look.known
    record({ ...taken, overtakenAt: place.overtakenAt }, causeOf(report, found))
  }

  function findCause(board: OwnedBoard, commandId: string): Promise<ChangeCause | undefined> {
    return options.findCause(board, commandId).catch((error: unknown) => {
      if (mayComplain(board.id))
        log.warn({ err: error, deviceId: board.id }, 'the cause of a command could not be looked up')
      return undefined
    })
  }

  /** Leaves a report unacknowledged, so that it comes again. */
  function defer(deviceId: string): void {
    metrics.reports.inc({ outcome: 'deferred' })
    held.noteDeferred(deviceId)
  }

  function reject(device: LiveDevice, payload: unknown, reason: string): void {
    metrics.reports.inc({ outcome: 'rejected' })
    if (mayComplain(device.id)) log.warn({ deviceId: device.id, reason }, 'a board sent an invalid report')
    const identity = reportIdentity.safeParse(payload)
    if (!identity.success) return
    const { bootId, seq } = identity.data
    // A rejected report is not repeated, so later reports must not wait for what it would have explained.
    if (bootId === device.bootId && seq === device.seq + 1) device.seq = seq
    ack(device.id, { bootId, seq, serverTime: clock.now(), rejected: reason.slice(0, 512) })
  }

  /** Whether this process received the report itself: it was announced here, or will be once its cause is known. */
  const wasTaken = (deviceId: string, report: ReportName): boolean =>
    recent.has(deviceId, report) || beingLookedUp.of(nameOf(deviceId, report)) !== undefined

  function forget(deviceId: string): void {
    held.forget(deviceId)
    postponed.forget(deviceId)
    gaps.forget(deviceId)
  }

  return { take, noteDeferred: held.noteDeferred, wasTaken, explain: held.explain, sweep: held.sweep, forget }
}

const nameOf = (deviceId: string, { bootId, seq }: ReportName): string => `${deviceId} ${bootId} ${seq}`
