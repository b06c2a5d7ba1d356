import { randomBytes } from 'node:crypto'
import type { Connection, Model } from 'mongoose'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import type { DeviceLink } from '../boards/link/device-link.ts'
import type { EventBus } from '../platform/events.ts'
import type { ActionLogsRepository } from '../features/action-logs/action-logs.repository.ts'
import type { DeviceDocument } from '../features/devices/device.model.ts'
import { createBoardCopies } from '../features/schedules/board-copies.ts'
import { createBoardRuns } from '../features/schedules/board-runs.ts'
import { createOccurrenceModel } from '../features/schedules/occurrence.model.ts'
import { createOccurrenceResults } from '../features/schedules/occurrence-results.ts'
import { createOccurrencesRepository } from '../features/schedules/occurrences.repository.ts'
import { createReplanning } from '../features/schedules/replan-schedules.ts'
import { createScheduleModel } from '../features/schedules/schedule.model.ts'
import { createScheduleRunner } from '../features/schedules/schedule-runner.ts'
import { createScheduleTargets } from '../features/schedules/schedule-targets.ts'
import { createSchedulesRepository } from '../features/schedules/schedules.repository.ts'
import { createSchedulesService } from '../features/schedules/schedules.service.ts'
import type { DeviceDirectory } from '../boards/registry/device-directory.ts'

export interface SchedulesParts {
  connection: Connection
  clock: Clock
  events: EventBus
  log: Logger
  directory: DeviceDirectory
  actionLogs: ActionLogsRepository
  devices: Model<DeviceDocument>
  refreshLive(deviceId: string): Promise<unknown>
  link: Pick<DeviceLink, 'send' | 'pushSchedules' | 'upSince'>
  findTimezone(userId: string): Promise<string | null>
  findDeviceIdsByName(search: string): Promise<string[]>
  findSwitchIdsByName(search: string): Promise<string[]>
}

/** Schedules: what people set, the runner that fires it, and the copies that boards keep. */
export function composeSchedules(parts: SchedulesParts) {
  const { connection, clock, events, log, directory, actionLogs, devices, link } = parts
  const scheduleModel = createScheduleModel(connection)
  const occurrenceModel = createOccurrenceModel(connection)
  const repository = createSchedulesRepository(scheduleModel)
  const occurrences = createOccurrencesRepository(occurrenceModel)

  const boardCopies = createBoardCopies({
    schedules: repository,
    events,
    async raiseRevision(deviceId) {
      const device = await devices
        .findByIdAndUpdate(deviceId, { $inc: { schedulesRev: 1 } }, { returnDocument: 'after' })
        .lean<DeviceDocument>()
      if (device === null) return null
      await parts.refreshLive(deviceId)
      return { rev: device.schedulesRev, timezone: device.timezone }
    },
    async readRevision(deviceId) {
      const device = await devices.findById(deviceId).lean<DeviceDocument>()
      return device === null ? null : { rev: device.schedulesRev, timezone: device.timezone }
    },
    pushSchedules: link.pushSchedules
  })
  const tzVersion = process.versions['tz'] ?? ''
  const targets = createScheduleTargets({ schedules: repository, directory, findTimezone: parts.findTimezone })
  const schedules = createSchedulesService({
    schedules: repository,
    occurrences,
    targets,
    boardCopies,
    directory,
    clock,
    tzVersion,
    findDeviceIdsByName: parts.findDeviceIdsByName,
    findSwitchIdsByName: parts.findSwitchIdsByName
  })
  const replanning = createReplanning({ schedules: repository, targets, boardCopies, directory, clock, tzVersion })
  const results = createOccurrenceResults({
    occurrences,
    addMissedLogs: actionLogs.insertMissed,
    removeLogs: actionLogs.deleteByIds,
    clock,
    events,
    log
  })
  const runner = createScheduleRunner({
    schedules: repository,
    occurrences,
    results,
    directory,
    send: link.send,
    linkState: () => ({ upSince: link.upSince() }),
    findRun: actionLogs.findSwitchedBySchedule,
    clock,
    log,
    instance: randomBytes(6).toString('hex')
  })
  const noteBoardRun = createBoardRuns({
    schedules: repository,
    occurrences,
    removeLogs: actionLogs.deleteByIds,
    clock
  })

  events.on('schedule-reported', noteBoardRun)
  events.on('device-behind', ({ deviceId, schedules: isBehind }) =>
    isBehind ? boardCopies.resend(deviceId) : undefined
  )
  // The zone of a board is set anew when it is paired, too.
  events.on('device-edited', ({ deviceId, update }) => ('timezone' in update ? replanning.rezone(deviceId) : undefined))
  events.on('device-claimed', ({ deviceId }) => replanning.rezone(deviceId))

  return {
    schedules,
    async ensureIndexes(): Promise<void> {
      await Promise.all([scheduleModel.createIndexes(), occurrenceModel.createIndexes()])
    },
    async start(): Promise<void> {
      await replanning.replanForNewZones()
      runner.start()
    },
    stop: runner.stop,
    tick: runner.tick,
    settled: results.drain
  }
}
