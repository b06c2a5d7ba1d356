import type { ChangeCause } from '@batti/contracts'
import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import { AppError } from '../../../platform/app-error.ts'
import { bySchedule } from '../../../boards/reports/report-cause.ts'
import type { CommandRequest, LiveDevice, SentCommand } from '../../../boards/registry/live-device.ts'
import { firedAs, judgeFiring, type LinkState, type MissedReason } from './judge-firing.ts'
import type { Missed } from './missed-notices.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'
import type { OccurrenceResults } from './occurrence-results.ts'
import type { OccurrencesRepository } from './occurrences.repository.ts'

export interface FiringOptions {
  occurrences: Pick<OccurrencesRepository, 'postpone'>
  results: OccurrenceResults
  /** @throws AppError DEVICE_OFFLINE or UNAVAILABLE. */
  send(request: CommandRequest, cause: ChangeCause): SentCommand
  linkState(): LinkState
  /** Sends a board something that it answers, if it is connected. */
  askBoard(deviceId: string): Promise<void>
  /** Called with the delay between an occurrence's time and its sending. */
  onFired?(lagMs: number): void
  clock: Clock
  log: Logger
}

/** An occurrence that waits for its board, or for the broker, is checked again after this long. */
const lookAgainMs = 1500

/** Sends the commands of occurrences that this instance has claimed, while its claim lasts, and records their results. */
export function createFiring(options: FiringOptions) {
  const { occurrences, results, clock, log } = options
  /** Boards that were asked for since the link came up: a heartbeat alone may take a minute. */
  const asked = { since: 0, ids: new Set<string>() }

  async function askOnce(deviceId: string, { upSince }: LinkState): Promise<void> {
    if (upSince === null) return
    if (asked.since !== upSince) Object.assign(asked, { since: upSince, ids: new Set() })
    if (asked.ids.has(deviceId)) return
    asked.ids.add(deviceId)
    await options.askBoard(deviceId)
  }

  async function fire(
    rows: readonly OccurrenceDocument[],
    devices: ReadonlyMap<string, LiveDevice>,
    isSecondTry: boolean
  ): Promise<void> {
    const waiting: OccurrenceDocument[] = []
    const unheard: string[] = []
    const missed: Missed[] = []
    const link = options.linkState()
    for (const row of rows) {
      // Even between two rows the process may have been suspended. Another instance fires the rest then.
      if (row.leaseUntil.getTime() <= clock.now()) continue
      const device = devices.get(String(row.deviceId)) ?? null
      const times = { now: clock.now(), monotonic: clock.monotonic() }
      const verdict = judgeFiring(row, device, { ...times, link, isSecondTry })
      if (verdict.kind === 'wait') {
        waiting.push(row)
        unheard.push(String(row.deviceId))
      } else if (verdict.kind === 'skipped' || device === null) results.end(row, 'skipped', 'the board is gone')
      else if (verdict.kind === 'done') results.end(row, endStateOf(row), null)
      else if (verdict.kind === 'missed') missed.push({ row, device, reason: verdict.reason })
      else {
        const outcome = send(row, device)
        if (outcome === 'sent') options.onFired?.(clock.now() - row.dueAt.getTime())
        if (outcome === 'wait') waiting.push(row)
        else if (outcome !== 'sent') missed.push({ row, device, reason: outcome })
      }
    }
    results.missed(missed)
    await occurrences.postpone(waiting, new Date(clock.now() + lookAgainMs))
    for (const deviceId of unheard) await askOnce(deviceId, link)
  }

  function send(row: OccurrenceDocument, device: LiveDevice): 'sent' | 'wait' | MissedReason {
    const state = endStateOf(row)
    const cause = bySchedule(String(row.scheduleId))
    let sent: SentCommand
    try {
      sent = options.send({ device, set: [{ index: row.switchIndex, on: row.action === 'on' }] }, cause)
    } catch (error) {
      if (error instanceof AppError && error.code === 'DEVICE_OFFLINE') return 'offline'
      // An unexpected failure of one occurrence must not keep the others from firing.
      if (!(error instanceof AppError)) log.error({ err: error, occurrence: row._id }, 'a schedule could not be fired')
      return 'wait'
    }
    void sent.ended.then(({ result }) => {
      if (result === 'confirmed') results.end(row, state, null)
      else results.missed([{ row, device, reason: result === 'failed' ? 'refused' : 'no-response' }])
    })
    return 'sent'
  }

  const endStateOf = (row: OccurrenceDocument) => firedAs(row, clock.now())

  return { fire, endStateOf }
}
