import { deviceReport, reportIdentity, type ChangeCause, type DeviceReport } from '@batti/contracts'
import { isRecord } from '@batti/kit/json'
import type { Logger } from 'pino'
import type { Commands } from '../commands/commands.ts'
import type { PeerVoice } from '../peers/peer-voice.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { ReportName } from './action-log.model.ts'
import { adoptReport, judgeReport } from './apply-report.ts'
import type { DedupWindow } from './dedup-window.ts'
import { createReportRecorder, type ReportRecorderOptions, type TakenReport } from './record-report.ts'
import { causeOf } from './report-cause.ts'

export interface ReportsOptions extends ReportRecorderOptions {
  store: ReportRecorderOptions['store'] & Pick<DeviceStore, 'hasRoom' | 'isLogged'>
  commands: ReportRecorderOptions['commands'] & Pick<Commands, 'causeOf'>
  recent: Pick<DedupWindow, 'has' | 'note' | 'covers'>
  /** The cause of a command that another api instance sent, or an earlier life of this one; undefined: nobody did. */
  findCause(deviceId: string, commandId: string): Promise<ChangeCause | undefined>
  log: Logger
  peers: ReportRecorderOptions['peers'] & Pick<PeerVoice, 'handOver'>
}

/** Whose command it names its id says, before anything else of it is read. */
const isAnswer = (payload: unknown): payload is { commandId: string } =>
  isRecord(payload) && payload['cause'] === 'command' && typeof payload['commandId'] === 'string'

/** Takes boards' reports: state to the screens at once, to the database in parallel, and the ack after that. */
export function createReports(options: ReportsOptions) {
  const { clock, store, commands, recent, metrics, log, ack, peers } = options
  const { record, acknowledge, held, postponed } = createReportRecorder(options)
  /** Reports whose cause, or whether they are stored, is being asked. */
  const beingLookedUp = new Map<string, Promise<void>>()

  /** Answers false when the payload was wrong: too many of those end the connection. */
  function take(device: LiveDevice, payload: unknown): boolean {
    // Who sent the command reads its answer: it knows why, waits for it and tells everybody.
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
    const hasRows = outcome.changed.length + outcome.found.length > 0
    const mayBeLogged = outcome.kind === 'late' && hasRows && !isWaitedFor && !recent.covers(device.id, report)
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

  function reject(device: LiveDevice, payload: unknown, reason: string): void {
    metrics.reports.inc({ outcome: 'rejected' })
    log.warn({ deviceId: device.id, reason }, 'a board sent a report of the wrong shape')
    const identity = reportIdentity.safeParse(payload)
    if (!identity.success) return
    const { bootId, seq } = identity.data
    // It does not come again: nothing behind it waits for what it would have told.
    if (bootId === device.bootId && seq === device.seq + 1) device.seq = seq
    ack(device.id, { bootId, seq, serverTime: clock.now(), rejected: reason.slice(0, 512) })
  }

  /** Whether this process heard it: it was told here, or is told as soon as its cause is known. */
  const wasTaken = (deviceId: string, report: ReportName): boolean =>
    recent.has(deviceId, report) || beingLookedUp.has(nameOf(deviceId, report))

  function forget(deviceId: string): void {
    held.forget(deviceId)
    postponed.forget(deviceId)
  }

  return { take, wasTaken, explain: held.explain, sweep: held.sweep, forget }
}

const nameOf = (deviceId: string, { bootId, seq }: ReportName): string => `${deviceId} ${bootId} ${seq}`
