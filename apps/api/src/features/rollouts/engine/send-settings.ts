import type { BulkSettings } from '@batti/contracts'
import { toAppError } from '../../../platform/http/error-handler.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { SendOutcome } from './send-firmware.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface SettingsSenderOptions {
  targets: Pick<TargetsRepository, 'change' | 'take'>
  /**
   * Stores settings of one board, on behalf of the person who started this, and pushes them. Returns the revision that
   * the board must confirm. @throws AppError where they cannot be set on this board.
   */
  applySettings(deviceId: string, set: BulkSettings, userId: string): Promise<number>
  /** Returns the latest revision of its settings that the board has confirmed. */
  confirmedRev(deviceId: string): Promise<number>
  now(): number
}

/** Only settings that the board must confirm require waiting for it. */
export const needsBoard = (set: BulkSettings): boolean =>
  set.activeColor !== undefined || set.timezone !== undefined || set.api !== undefined || set.mqtt !== undefined

/** Sends settings to boards; what is only stored is done at once. */
export function createSettingsSender({ targets, applySettings, confirmedRev, now }: SettingsSenderOptions) {
  return {
    async send(rollout: RolloutDocument, target: TargetDocument): Promise<SendOutcome> {
      const at = new Date(now())
      const sent = await targets.take(target, {
        resends: 0,
        sentAt: at,
        triedAt: target.triedAt ?? at,
        changedAt: at
      })
      if (sent === null) return null
      try {
        const set = rollout.set ?? {}
        const stands = await applySettings(String(target.deviceId), set, String(rollout.createdBy))
        const rev = needsBoard(set) ? stands : null
        const done = (after: TargetDocument) =>
          targets.change(after, { phase: 'done', percent: 100, doneAt: at, changedAt: at })
        if (rev === null) {
          const ended = await done(sent)
          return ended === null ? null : { ended }
        }
        const stored = await targets.change(sent, { rev })
        if (stored === null) return null
        // A board may be faster than the database.
        const isConfirmed = (await confirmedRev(String(target.deviceId))) >= rev
        return { sent: (isConfirmed ? await done(stored) : null) ?? stored }
      } catch (error) {
        // As after a crash: without a revision, the next pass lets the board wait again.
        if (toAppError(error).code === 'UNAVAILABLE') return null
        const detail = error instanceof Error ? error.message.slice(0, 200) : null
        const failed = await targets.change(sent, {
          phase: 'failed',
          error: { code: 'rejected', detail },
          changedAt: at
        })
        return failed === null ? null : { ended: failed }
      }
    },

    /** Counts that a board came back before it has confirmed them. The link sends them again. */
    noteReturn: (target: TargetDocument): Promise<TargetDocument | null> =>
      targets.change(target, { sentAt: new Date(now()) }, { resends: 1 })
  }
}
export type SettingsSender = ReturnType<typeof createSettingsSender>
