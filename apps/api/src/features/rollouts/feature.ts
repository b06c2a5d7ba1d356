import { randomBytes } from 'node:crypto'
import { compareVersions, type BulkSettings, type DeviceFirmware, type FirmwareUpdatePayload } from '@batti/contracts'
import type { Boards } from '../../boards/boards.ts'
import { afterCommit } from '../../platform/after-commit.ts'
import type { Audit } from '../../platform/audit.ts'
import { conflict, notFound } from '../../platform/app-error.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createAuditSubjects } from './audit-subjects.ts'
import { createBoardsRepository } from './boards.repository.ts'
import { createDeviceUpdatesService, type DeviceUpdatesOptions } from './device-updates.service.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { createFilesInUse } from './files-in-use.ts'
import { listenToBoards } from './engine/listen-to-boards.ts'
import { createLockedBoards } from './engine/locked-boards.ts'
import { createRolloutSupervisor } from './engine/supervise-rollout.ts'
import { createNotifyProgress } from './engine/notify-progress.ts'
import { createRolloutKinds } from './rollout-kinds.ts'
import { createPlanModel, createRolloutPlans } from './plan/rollout-plans.ts'
import { createRolloutModel } from './rollout.model.ts'
import { createRolloutsRepository } from './rollouts.repository.ts'
import { rolloutRoutes } from './rollouts.routes.ts'
import { createRolloutsService } from './rollouts.service.ts'
import type { RolloutImage, RolloutsOptions } from './rollouts.options.ts'
import { createRunner } from './engine/runner.ts'
import { createFirmwareSender, type ImageSource } from './engine/send-firmware.ts'
import { createSettingsSender } from './engine/send-settings.ts'
import { createStaffNotices } from './engine/staff-notices.ts'
import { createTakeProgress } from './engine/take-progress.ts'
import { createTargetModel } from './targets/target.model.ts'
import { createTargetsRepository } from './targets/targets.repository.ts'
import { createBoardWatch } from './engine/watch-boards.ts'

interface RolloutsDeps extends Pick<
  Platform,
  'config' | 'connection' | 'inTransaction' | 'clock' | 'cluster' | 'events' | 'isAlone' | 'log'
> {
  boards: Pick<Boards, 'models'> & {
    store: Pick<Boards['store'], 'unstoredState'>
    directory: Pick<Boards['directory'], 'find'>
    link: {
      isUp(): boolean
      pushFirmware(deviceId: string, payload: FirmwareUpdatePayload): boolean
      addCommandCheck(check: (deviceId: string) => void): void
    }
  }
  firmware: ImageSource & {
    findImageByName(fileName: string): Promise<Omit<RolloutImage, 'isAbove'> | null>
    claimImage: RolloutsOptions['claimImage']
    choicesFor: DeviceUpdatesOptions['choicesFor']
    keepWhile(isInUse: (fileId: string) => Promise<boolean>): void
  }
  devices: {
    /** Stores settings as staff and pushes them. Returns the revision that the board must confirm. */
    applySettings(deviceId: string, set: BulkSettings, userId: string): Promise<number>
    onReleased(step: (deviceId: string) => Promise<unknown>): void
    matching: Parameters<typeof createBoardsRepository>[1]
    /** Registers the source of updates in progress, which are shown with the boards. */
    showFirmware(find: (deviceIds: readonly string[]) => Promise<ReadonlyMap<string, DeviceFirmware>>): void
  }
  rooms: { findRooms(ids: readonly string[]): Promise<ReadonlyMap<string, { userId: string }>> }
  audit: Audit
  /** Returns the server's own address, as boards reach it. */
  baseUrl(): string
  /** For tests: only `tick` runs a pass. */
  firesByHand?: boolean | undefined
}

const newJobId = (): string => randomBytes(12).toString('hex')

/** Rollouts of firmware and settings. The update of a single board is a rollout of one. */
export function createRolloutsFeature(deps: RolloutsDeps) {
  const { config, connection, clock, events, log, firmware, devices } = deps
  const { link, store, directory } = deps.boards
  const models = {
    rollouts: createRolloutModel(connection),
    targets: createTargetModel(connection),
    plans: createPlanModel(connection)
  }
  const repository = createRolloutsRepository(models.rollouts, (rollout) => afterCommit(() => staff.notify(rollout)))
  const targets = createTargetsRepository(models.targets)
  const boards = createBoardsRepository(deps.boards.models.devices, deps.devices.matching, store.unstoredState)
  const now = (): number => clock.now()
  const plans = createRolloutPlans({ model: models.plans, rollouts: repository, targets, now })
  const watch = createBoardWatch(clock.monotonic)
  const locked = createLockedBoards(deps.cluster)

  async function findImage(fileName: string): Promise<RolloutImage> {
    const image = await firmware.findImageByName(fileName)
    if (image === null) throw notFound('Firmware file')
    return { ...image, isAbove: (version) => compareVersions(image.version, version) > 0 }
  }

  const rollouts = createRolloutsService({
    rollouts: repository,
    targets,
    plans,
    boards,
    findImage,
    claimImage: firmware.claimImage,
    newJobId,
    now,
    base: deps.baseUrl,
    needsApproval: config.ROLLOUT_APPROVAL,
    inTransaction: deps.inTransaction,
    wake: () =>
      afterCommit(() => {
        runner.noteActive()
        if (deps.firesByHand !== true) void runner.tick()
      }),
    async checkRoom(roomId, owners) {
      const room = (await deps.rooms.findRooms([roomId])).get(roomId)
      if (room === undefined || [...owners].some((owner) => owner !== room.userId)) throw notFound('Room')
    }
  })
  const updates = createDeviceUpdatesService({
    rollouts,
    targets,
    boards,
    findImage,
    choicesFor: firmware.choicesFor,
    isOnline: async (deviceId) => (await directory.find(deviceId))?.isOnline === true,
    now
  })
  const runner = createRunner({
    newId: newJobId,
    rollouts: repository,
    targets,
    locked,
    engine: () => engine,
    log,
    now,
    monotonic: clock.monotonic,
    instance: randomBytes(6).toString('hex'),
    isAlone: deps.isAlone,
    cluster: deps.cluster
  })
  const staff = createStaffNotices({
    rollouts: repository,
    targets,
    log,
    notifyStaff: (event) => events.emit('rollout-notice', event)
  })
  const notify = createNotifyProgress({ locked, staff, directory, events, log })
  const engine: Engine = createEngine({
    rollouts: repository,
    targets,
    boards,
    firmware: createFirmwareSender({
      images: firmware,
      targets,
      pushFirmware: link.pushFirmware,
      base: deps.baseUrl,
      now
    }),
    settings: createSettingsSender({
      targets,
      applySettings: (deviceId, set, userId) => devices.applySettings(deviceId, set, userId),
      confirmedRev: async (deviceId) => (await boards.findById(deviceId))?.configConfirmedRev ?? 0,
      now
    }),
    proveMs: config.FIRMWARE_PROVE_S * 1000,
    now,
    monotonic: clock.monotonic,
    newJobId,
    isLinkUp: link.isUp,
    notify,
    ...createRolloutSupervisor({
      rollouts: repository,
      targets,
      boards,
      watch,
      log,
      now,
      monotonic: clock.monotonic,
      isSendable: async ({ fileId }) => fileId !== null && firmware.isReleased(String(fileId)),
      addLateBoards: rollouts.addLateBoards
    }),
    continueRetries: rollouts.continueRetries
  })

  link.addCommandCheck((deviceId) => {
    if (locked.isLocked(deviceId)) throw conflict('This board installs an update. Try again when it has restarted.')
  })
  firmware.keepWhile(createFilesInUse({ rollouts: repository, targets, boards, images: firmware }))
  devices.showFirmware(updates.ofDevices)
  devices.onReleased((deviceId) => targets.skipDevice(deviceId, new Date(now())))
  listenToBoards({
    events,
    cluster: deps.cluster,
    targets,
    runner,
    engine,
    watch,
    takeProgress: createTakeProgress({ targets, now, monotonic: clock.monotonic }),
    whatItIs: createRolloutKinds(repository),
    notify,
    now
  })

  return {
    routes: rolloutRoutes({
      rollouts,
      updates,
      audit: deps.audit,
      ...createAuditSubjects({ rollouts: repository, targets, boards })
    }),
    tick: runner.tick,
    indexes: () => ensureIndexes(models.rollouts, models.targets, models.plans),
    async start(): Promise<void> {
      // Not left to the first pass: the port opens after this, and people tap at once.
      await locked.load(targets.lockedIds)
      if (deps.firesByHand !== true) runner.start()
    },
    async stop(): Promise<void> {
      await runner.stop()
      staff.stop()
    }
  }
}
