import { updateErrorCodes, type FirmwareProgress, type UpdateError, type UpdatePhase } from '@batti/contracts'
import { createLastTimes } from '../../../platform/limit-by-key.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface TakeProgressOptions {
  targets: Pick<TargetsRepository, 'findJob' | 'change'>
  now(): number
  monotonic(): number
}

/** The order of phases; a report never moves a target back. */
const rank: Partial<Record<UpdatePhase, number>> = {
  sent: 0,
  download: 1,
  verify: 2,
  install: 3,
  reboot: 4,
  proving: 5
}

/** The most likely cause of a failure in each phase, if the board does not say. */
const likelyCode: Partial<Record<UpdatePhase, UpdateError['code']>> = {
  sent: 'rejected',
  download: 'download-failed',
  verify: 'checksum',
  install: 'install-failed',
  reboot: 'boot-failed',
  proving: 'boot-failed'
}

/** Parses an error: our boards begin it with a code, others send free text. */
export function readError(text: string | undefined, phase: UpdatePhase): UpdateError {
  const said = (text ?? '').trim()
  const code = updateErrorCodes.find(
    (each) => said === each || said.startsWith(`${each}:`) || said.startsWith(`${each} `)
  )
  const detail = code === undefined ? said : said.slice(code.length).replace(/^[:\s]+/, '')
  return { code: code ?? likelyCode[phase] ?? 'rejected', detail: detail === '' ? null : detail }
}

/** Returns what a progress report changes in its target; null for an outdated one. */
export function judgeProgress(
  target: Pick<TargetDocument, 'phase' | 'percent' | 'error'>,
  progress: FirmwareProgress
): Partial<Pick<TargetDocument, 'phase' | 'percent' | 'error'>> | null {
  const at = rank[target.phase]
  if (progress.phase === 'failed') {
    if (target.phase === 'rolled-back' && target.error?.code === 'boot-failed' && progress.error !== undefined)
      return { error: readError(progress.error, 'reboot') }
    if (at === undefined) return null
    return { phase: at >= 4 ? 'rolled-back' : 'failed', error: readError(progress.error, target.phase) }
  }
  // The board's `done` only says that it reached the server; whether it stays up has to be proved.
  const phase = progress.phase === 'done' ? 'reboot' : progress.phase
  const percent = progress.phase === 'done' ? 100 : Math.floor(progress.percent)
  const reported = rank[phase] ?? 0
  if (at === undefined || at > reported || (at === reported && target.percent >= percent)) return null
  return { phase, percent }
}

/** During a fast download, reports within this time are dropped: nobody sees more, and each costs a write. */
const progressIntervalMs = 500

/** Applies a board's progress once, however many instances receive it. Returns what is new, for notification. */
export function createTakeProgress({ targets, now, monotonic }: TakeProgressOptions) {
  const downloads = createLastTimes(monotonic)

  function isTooFrequent(deviceId: string, { phase, percent }: FirmwareProgress): boolean {
    if (phase !== 'download' || percent >= 100) {
      downloads.forget(deviceId)
      return false
    }
    return !downloads.isTimeFor(deviceId, progressIntervalMs)
  }

  /** `bootId`: the boot that reports it. */
  return async function takeProgress(
    deviceId: string,
    progress: FirmwareProgress,
    bootId: string
  ): Promise<TargetDocument | null> {
    if (isTooFrequent(deviceId, progress)) return null
    for (;;) {
      const target = await targets.findJob(progress.id, deviceId)
      if (target === null) return null
      const at = new Date(now())
      const fields = judgeProgress(target, progress)
      // A repeat is no progress: a board that is stuck gets no more time for it.
      if (fields === null) return null
      // A board may resume by itself after a power cut: only a later start than the one that installs is a rollback.
      const boot = progress.phase === 'install' ? { bootIdAtSend: bootId } : {}
      const changed = await targets.change(target, { ...fields, ...boot, resends: 0, progressAt: at, changedAt: at })
      // Another message of the same board was faster: judge this one again, against the new state.
      if (changed !== null) return changed
    }
  }
}
export type TakeProgress = ReturnType<typeof createTakeProgress>
