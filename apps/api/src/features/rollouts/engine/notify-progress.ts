import type { FirmwareProgressEvent } from '@batti/contracts'
import type { Logger } from 'pino'
import type { DeviceDirectory } from '../../../boards/registry/device-directory.ts'
import type { EventBus } from '../../../platform/events.ts'
import type { NotifiedRollout } from '../rollout.model.ts'
import type { LockedBoards } from './locked-boards.ts'
import type { StaffNotices } from './staff-notices.ts'
import type { TargetDocument } from '../targets/target.model.ts'

/** Announces that a target has changed, and blocks commands to a board between two versions. */
export function createNotifyProgress(deps: {
  locked: Pick<LockedBoards, 'lock'>
  staff: Pick<StaffNotices, 'notify'>
  directory: Pick<DeviceDirectory, 'find'>
  events: EventBus
  log: Logger
}) {
  const { locked, staff, directory, events, log } = deps

  async function notifyOwner(target: TargetDocument): Promise<void> {
    const deviceId = String(target.deviceId)
    const board = await directory.find(deviceId)
    const event: FirmwareProgressEvent = {
      deviceMac: target.deviceMac,
      id: target.jobId,
      phase: target.phase,
      percent: target.percent,
      ...(target.version === null ? {} : { version: target.version }),
      ...(target.error === null ? {} : { code: target.error.code, error: target.error.detail ?? target.error.code })
    }
    events.emit('firmware-notice', { deviceId, userId: board?.userId ?? null, event })
  }

  /** Notifies the owner, staff and everybody who watches the rollout. */
  return function notify(rollout: NotifiedRollout, target: TargetDocument): void {
    staff.notify(rollout, target)
    locked.lock(String(target.deviceId), target.phase === 'install' || target.phase === 'reboot')
    if (rollout.kind === 'firmware' && target.phase !== 'waiting')
      void notifyOwner(target).catch((error: unknown) =>
        log.warn({ err: error }, 'the progress of an update could not be sent')
      )
  }
}
export type NotifyProgress = ReturnType<typeof createNotifyProgress>
