import { randomBytes } from 'node:crypto'
import {
  compareVersions,
  type BulkSettings,
  type DeviceFirmware,
  type FirmwareProgressEvent,
  type FirmwareUpdatePayload
} from '@batti/contracts'
import type { Boards } from '../../boards/boards.ts'
import { afterCommit } from '../../platform/after-commit.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import { notFound } from '../../platform/app-error.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createTransactions } from '../../platform/store/transactions.ts'
import { createBoardsRepository } from './boards.repository.ts'
import { createDeviceUpdatesService, type DeviceUpdatesOptions } from './device-updates.service.ts'
import { createEngine, type Engine } from './engine.ts'
import { createFilesInUse } from './files-in-use.ts'
import { createLookAfter } from './look-after.ts'
import { createRolloutModel, type RolloutDocument, type NotifiedRollout } from './rollout.model.ts'
import { createRolloutsRepository } from './rollouts.repository.ts'
import { rolloutRoutes } from './rollouts.routes.ts'
import { createRolloutsService, type RolloutImage, type RolloutsOptions } from './rollouts.service.ts'
import { createRunner } from './runner.ts'
import { createFirmwareSender, type ImageSource } from './send-firmware.ts'
import { createSettingsSender } from './send-settings.ts'
import { createTakeProgress } from './take-progress.ts'
import { createTargetModel, type TargetDocument } from './target.model.ts'
import { createTargetsRepository } from './targets.repository.ts'
import { createBoardWatch } from './watch-boards.ts'

interface RolloutsDeps extends Pick<
  Platform,
  'config' | 'connection' | 'clock' | 'cluster' | 'events' | 'isAlone' | 'log'
> {
  boards: Pick<Boards, 'models'> & {
    store: Pick<Boards['store'], 'unstoredState'>
    directory: Pick<Boards['directory'], 'find'>
    link: {
      isUp(): boolean
      pushFirmware(deviceId: string, payload: FirmwareUpdatePayload): boolean
      refuseWhile(isRefused: (deviceId: string) => string | null): void
    }
  }
  firmware: ImageSource & {
    findImageByName(fileName: string): Promise<Omit<RolloutImage, 'isAbove'> | null>
    claimImage: RolloutsOptions['claimImage']
    choicesFor: DeviceUpdatesOptions['choicesFor']
    keepWhile(isInUse: (fileId: string) => Promise<boolean>): void
    /** Whether it is released, and signed as this server asks for. */
    isReleased(fileId: string): Promise<boolean>
  }
  devices: {
    /** Stores settings as staff and pushes them. Answers the revision that the board must confirm. */
    applySettings(deviceId: string, set: BulkSettings, userId: string): Promise<number>
    onReleased(step: (deviceId: string) => Promise<unknown>): void
    matching: Parameters<typeof createBoardsRepository>[1]
    /** What boards have in hand is told with their records. */
    showFirmware(find: (deviceIds: readonly string[]) => Promise<ReadonlyMap<string, DeviceFirmware>>): void
  }
  rooms: { findRooms(ids: readonly string[]): Promise<ReadonlyMap<string, { userId: string }>> }
  audit: Audit
  /** The server's own address, as boards reach it. */
  baseUrl(): string
  /** In tests: nothing is looked at but by `tick`. */
  firesByHand?: boolean | undefined
}

/** What a row of the audit log calls it. */
const labelOf = ({ fileName, set, kind }: RolloutDocument): string =>
  fileName ?? (set === null ? kind : `settings: ${Object.keys(set).join(', ')}`)
/** What the engine keeps for itself: no person sets it. */
const engineFields = [
  'isSingle',
  'isActive',
  'leaseBy',
  'leaseUntil',
  'countedFrom',
  'watched',
  'base',
  'rev',
  'stage',
  'stages'
]
const kindsKept = 1000
/** That a board came online is stored by then, so that whoever looks sees it. */
const storedMs = 500

/** Rollouts of firmware and settings, and the update of one board, which is a rollout of one. */
export function createRolloutsFeature(deps: RolloutsDeps) {
  const { config, connection, clock, events, log, firmware, devices } = deps
  const { link } = deps.boards
  const models = { rollouts: createRolloutModel(connection), targets: createTargetModel(connection) }
  const repository = createRolloutsRepository(models.rollouts, (rollout) => afterCommit(() => runner.notify(rollout)))
  const targets = createTargetsRepository(models.targets)
  const { store } = deps.boards
  const boards = createBoardsRepository(deps.boards.models.devices, deps.devices.matching, store.unstoredState)
  const watch = createBoardWatch()
  const now = (): number => clock.now()
  const newJobId = (): string => randomBytes(12).toString('hex')

  async function findImage(fileName: string): Promise<RolloutImage> {
    const image = await firmware.findImageByName(fileName)
    if (image === null) throw notFound('Firmware file')
    return { ...image, isAbove: (version) => compareVersions(image.version, version) > 0 }
  }

  const rollouts = createRolloutsService({
    rollouts: repository,
    targets,
    boards,
    findImage,
    claimImage: firmware.claimImage,
    newJobId,
    now,
    base: deps.baseUrl,
    needsApproval: config.ROLLOUT_APPROVAL,
    inTransaction: createTransactions(connection),
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
    now
  })
  const runner = createRunner({
    rollouts: repository,
    targets,
    engine: () => engine,
    log,
    now,
    instance: randomBytes(6).toString('hex'),
    isAlone: deps.isAlone,
    cluster: deps.cluster,
    notifyStaff: (event) => events.emit('rollout-notice', event)
  })
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
      now
    }),
    proveMs: config.FIRMWARE_PROVE_S * 1000,
    now,
    newJobId,
    isLinkUp: link.isUp,
    notify,
    lookAfter: createLookAfter({
      rollouts: repository,
      targets,
      boards,
      watch,
      log,
      now,
      isSendable: async ({ fileId }) => fileId !== null && firmware.isReleased(String(fileId)),
      addLateBoards: rollouts.addLateBoards
    })
  })
  const takeProgress = createTakeProgress({ targets, now })

  const kinds = new Map<string, NotifiedRollout>()
  /** What never changes of a rollout, read once: boards under way say much. */
  async function whatItIs(id: string): Promise<NotifiedRollout | null> {
    const known = kinds.get(id) ?? (await repository.findById(id))
    if (known === null) return null
    if (kinds.size >= kindsKept) kinds.clear()
    kinds.set(id, { _id: known._id, kind: known.kind, isSingle: known.isSingle })
    return known
  }

  /** To the board's owner and to staff; whoever watches the rollout hears of it as well. */
  function notify(rollout: NotifiedRollout, target: TargetDocument): void {
    runner.notify(rollout, target)
    runner.lock(String(target.deviceId), target.phase === 'install' || target.phase === 'reboot')
    if (rollout.kind === 'firmware' && target.phase !== 'waiting')
      void notifyOwner(target).catch((error: unknown) => log.warn({ err: error }, 'an update could not be told'))
  }

  async function notifyOwner(target: TargetDocument): Promise<void> {
    const board = await deps.boards.directory.find(String(target.deviceId))
    const event: FirmwareProgressEvent = {
      deviceMac: target.deviceMac,
      id: target.jobId,
      phase: target.phase,
      percent: target.percent,
      ...(target.version === null ? {} : { version: target.version }),
      ...(target.error === null ? {} : { code: target.error.code, error: target.error.detail ?? target.error.code })
    }
    events.emit('firmware-notice', { userId: board?.userId ?? null, event })
  }

  async function onProgress(deviceId: string, progress: Parameters<typeof takeProgress>[1]): Promise<void> {
    const changed = await takeProgress(deviceId, progress)
    if (changed === null) return
    const rollout = await whatItIs(String(changed.rolloutId))
    if (rollout !== null) notify(rollout, changed)
  }

  link.refuseWhile((deviceId) =>
    runner.isLocked(deviceId) ? 'This board installs an update. Try again when it has restarted.' : null
  )
  firmware.keepWhile(createFilesInUse({ rollouts: repository, targets, boards, images: firmware }))
  devices.showFirmware(updates.ofDevices)
  devices.onReleased((deviceId) => targets.skipDevice(deviceId, new Date(now())))
  events.on('firmware-progressed', ({ deviceId, progress }) => onProgress(deviceId, progress))
  events.on('device-online', async ({ deviceId }) => {
    if (!runner.hasActive()) return
    watch.note(deviceId, 'reconnects')
    await targets.wake(deviceId, new Date(now() + storedMs))
  })
  events.on('device-booted', ({ deviceId }) => (runner.hasActive() ? watch.note(deviceId, 'restarts') : undefined))
  events.on('command-ended', ({ deviceId, result }) => {
    if (runner.hasActive() && result !== 'confirmed' && result !== 'offline') watch.note(deviceId, 'failed')
  })

  const subjectOf = auditSubject(repository.findById, labelOf, engineFields)

  return {
    routes: rolloutRoutes({
      rollouts,
      updates,
      audit: deps.audit,
      find: subjectOf,
      async findWithFailed(id) {
        const [subject, counts] = [await subjectOf(id), await targets.countsOf(id)]
        const failed = (counts.failed ?? 0) + (counts['rolled-back'] ?? 0)
        return subject === null ? null : { ...subject, fields: { ...subject.fields, failed } }
      },
      findBoard: auditSubject(boards.findById, ({ deviceMac }) => deviceMac)
    }),
    tick: runner.tick,
    indexes: () => ensureIndexes(models.rollouts, models.targets),
    start(): void {
      if (deps.firesByHand !== true) runner.start()
    },
    stop: runner.stop
  }
}
