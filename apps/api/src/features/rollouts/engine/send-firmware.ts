import { compareVersions, type ExcludedReason, type FirmwareUpdatePayload } from '@batti/contracts'
import type { Types } from 'mongoose'
import type { Board } from '../boards.repository.ts'
import { isPinned } from '../plan/choose-boards.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

/** An image from the firmware feature. */
export interface FirmwareImage {
  _id: Types.ObjectId
  filename: string
  version: string
  size: number
  sha256: string
}

export interface ImageSource {
  findImage(fileId: string): Promise<FirmwareImage | null>
  /** Returns the next image to send that board on its way to the target, or why there is none. */
  nextImage(
    fileId: string,
    board: { hwModel: string; osVersion: string }
  ): Promise<FirmwareImage | ExcludedReason | 'step-withdrawn'>
  /** Whether the file is released, and signed if this server requires it. */
  isReleased(fileId: string): Promise<boolean>
  linkFor(image: FirmwareImage, base: string, deviceId: string): string
}

export interface FirmwareSenderOptions {
  images: ImageSource
  targets: Pick<TargetsRepository, 'change' | 'take'>
  /** Returns false when the boards cannot be reached now. */
  pushFirmware(deviceId: string, payload: FirmwareUpdatePayload): boolean
  /** Returns the server's own address, as boards reach it. */
  base(): string
  now(): number
}

/** The result of an attempt to send: the updated target, or why it still waits. `blocked`: for an image that is withdrawn. */
export type SendOutcome = { sent: TargetDocument } | { later: 'when' } | { ended: TargetDocument } | 'blocked' | null

const withdrawn = 'This image is withdrawn.'

/** Sends images to boards: exactly one job per board, whichever instance tries. */
export function createFirmwareSender({ images, targets, pushFirmware, base, now }: FirmwareSenderOptions) {
  const payloadOf = (target: TargetDocument, image: FirmwareImage): FirmwareUpdatePayload => ({
    id: target.jobId,
    url: images.linkFor(image, base(), String(target.deviceId)),
    version: image.version,
    size: image.size,
    sha256: image.sha256
  })

  return {
    async send(rollout: RolloutDocument, target: TargetDocument, board: Board): Promise<SendOutcome> {
      const at = new Date(now())
      const end = async (fields: Partial<TargetDocument>): Promise<SendOutcome> => {
        const ended = await targets.change(target, { ...fields, changedAt: at })
        return ended === null ? null : { ended }
      }
      if (compareVersions(board.osVersion, rollout.version ?? '') >= 0 && !rollout.isSingle)
        return end({ phase: 'done', percent: 100, doneAt: at })
      if (isPinned(board, at.getTime())) return end({ phase: 'skipped' })
      const image = await images.nextImage(String(rollout.fileId), board)
      if (typeof image === 'string') {
        // That the image or a version on the way to it was withdrawn is no failure of the board.
        if (!rollout.isSingle && (image === 'withdrawn' || image === 'step-withdrawn')) return 'blocked'
        const detail = image === 'withdrawn' ? withdrawn : 'The board may not take this image any more.'
        return end({ phase: 'failed', error: { code: 'rejected', detail } })
      }
      // The job is stored before anything is sent, so that another instance finds it taken.
      const sent = await targets.take(target, {
        percent: 0,
        resends: 0,
        error: null,
        fileId: image._id,
        version: image.version,
        sentAt: at,
        triedAt: target.triedAt ?? at,
        progressAt: null,
        bootIdAtSend: board.bootId,
        connAtSend: board.conn,
        changedAt: at
      })
      if (sent === null) return null
      if (pushFirmware(String(target.deviceId), payloadOf(sent, image))) return { sent }
      await targets.change(sent, { phase: 'waiting', triedAt: target.triedAt, changedAt: at }, { sends: -1 })
      return { later: 'when' }
    },

    /**
     * Sends the same job again to a board that lost its power or its connection. A withdrawn image is offered to nobody: the board
     * has lost it with its power, or may still be loading it.
     */
    async sendAgain(target: TargetDocument, board: Board, counts: boolean): Promise<TargetDocument | null> {
      const image = target.fileId === null ? null : await images.findImage(String(target.fileId))
      if (image === null) return null
      const at = new Date(now())
      const isWithdrawn = !(await images.isReleased(String(image._id)))
      if (isWithdrawn && counts)
        return targets.change(target, {
          phase: 'failed',
          error: { code: 'power-lost', detail: withdrawn },
          changedAt: at
        })
      const again = await targets.change(
        target,
        {
          sentAt: at,
          bootIdAtSend: board.bootId,
          connAtSend: board.conn,
          ...(counts ? { phase: 'sent', percent: 0, resends: 0, changedAt: at } : {})
        },
        counts ? { sends: 1 } : { resends: 1 }
      )
      if (again !== null && !isWithdrawn) pushFirmware(String(target.deviceId), payloadOf(again, image))
      return again
    }
  }
}
export type FirmwareSender = ReturnType<typeof createFirmwareSender>
