import { randomBytes } from 'node:crypto'
import type { Boards } from '../../boards/boards.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createBoardCopies } from './board/board-copies.ts'
import { createBoardRevisions } from './board/board-revisions.ts'
import { createBoardRuns } from './board/board-runs.ts'
import { createOccurrenceModel } from './runs/occurrence.model.ts'
import { createOccurrenceResults } from './runs/occurrence-results.ts'
import { createOccurrencesRepository } from './runs/occurrences.repository.ts'
import { createReplanning } from './runs/replan-schedules.ts'
import { createScheduleLogsRepository } from './schedule-logs.repository.ts'
import { createScheduleModel, type ScheduleDocument } from './schedule.model.ts'
import { createScheduleRunner } from './runs/schedule-runner.ts'
import { createScheduleTargets, type ScheduleTargetsOptions } from './schedule-targets.ts'
import { createSchedulesRepository } from './schedules.repository.ts'
import { scheduleRoutes } from './schedules.routes.ts'
import { createSchedulesService, type SchedulesService } from './schedules.service.ts'

interface SchedulesDeps extends Pick<
  Platform,
  'connection' | 'inTransaction' | 'clock' | 'cluster' | 'events' | 'isAlone' | 'log' | 'metrics'
> {
  audit: Audit
  columns: ListColumns
  boards: Pick<Boards, 'models' | 'directory' | 'link' | 'store'>
  people: { timezoneOf(userId: string): Promise<string | null> }
  accounts: { onErase(step: (userId: string) => Promise<void>): void }
  devices: { onReleased(step: (deviceId: string) => Promise<void>): void }
  switches: {
    findIdsByName(search: string): Promise<string[] | null>
    countSchedule: ScheduleTargetsOptions['countSchedule']
    onRemoved(step: (switchId: string) => Promise<void>): void
    onMoved(step: SchedulesService['followSwitch']): void
  }
  /** For tests with a controlled clock: only `tick` fires what is due. */
  firesByHand?: boolean
}

/** Schedules: what people set, the runner that fires them, and the copies that boards keep. */
export function createSchedulesFeature(deps: SchedulesDeps) {
  const { connection, clock, events, log, boards, people } = deps
  const { directory, link, models } = boards
  const scheduleModel = createScheduleModel(connection)
  const occurrenceModel = createOccurrenceModel(connection)
  const repository = createSchedulesRepository(scheduleModel, deps.columns)
  const occurrences = createOccurrencesRepository(occurrenceModel)
  const logs = createScheduleLogsRepository(models.actionLogs)
  const tzVersion = process.versions['tz'] ?? ''

  const boardCopies = createBoardCopies({
    schedules: repository,
    ...createBoardRevisions(models.devices, directory.refresh),
    pushSchedules: link.pushSchedules,
    async onChanged(deviceId, { count, rev: schedulesRev }) {
      events.emit('board-set', {
        deviceId,
        kind: 'schedules',
        detail: count === 1 ? '1 schedule' : `${count} schedules`
      })
      const deviceMac = (await directory.find(deviceId))?.mac
      if (deviceMac !== undefined)
        events.emit('device-edited', { deviceId, deviceMac, update: { schedulesRev }, at: clock.now() })
    }
  })
  const targets = createScheduleTargets({
    schedules: repository,
    directory,
    findTimezone: people.timezoneOf,
    countSchedule: deps.switches.countSchedule
  })
  const schedules = createSchedulesService({
    schedules: repository,
    occurrences,
    targets,
    boardCopies,
    directory,
    clock,
    inTransaction: deps.inTransaction,
    tzVersion,
    findDeviceIdsByName: directory.findIdsByName,
    findSwitchIdsByName: deps.switches.findIdsByName
  })
  const replanning = createReplanning({
    schedules: repository,
    occurrences,
    removeLogs: logs.deleteByIds,
    targets,
    boardCopies,
    directory,
    clock,
    tzVersion
  })
  const results = createOccurrenceResults({
    occurrences,
    addMissedLogs: logs.insertMissed,
    removeLogs: logs.deleteByIds,
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
    // A board confirms its timetable each time.
    askBoard: boardCopies.resend,
    findRun: logs.findSwitchedBySchedule,
    replanSkipped: replanning.replanSkipped,
    forgetMissed: replanning.forgetMissed,
    forgetMissedAhead: replanning.forgetMissedAhead,
    takeUpAgain: replanning.takeUpAgain,
    onFired: (lagMs) => deps.metrics.scheduleLag.observe(lagMs / 1000),
    clock,
    log,
    instance: randomBytes(6).toString('hex'),
    isAlone: deps.isAlone,
    cluster: deps.cluster
  })

  deps.accounts.onErase(schedules.eraseOfUser)
  deps.devices.onReleased((deviceId) => schedules.deleteOf({ deviceId }))
  deps.switches.onRemoved((switchId) => schedules.deleteOf({ switchId }))
  deps.switches.onMoved(schedules.followSwitch)
  const boardRuns = createBoardRuns({
    schedules: repository,
    occurrences,
    findSentAt: boards.store.findSentAt,
    removeLogs: logs.deleteByIds,
    clock
  })
  events.on('schedule-reported', boardRuns.noteRun)
  events.on('schedule-answered', boardRuns.noteAnswer)
  events.on('device-behind', ({ deviceId, schedules: isBehind }) =>
    isBehind ? boardCopies.resend(deviceId) : undefined
  )
  // Pairing may change the zone of a board, too.
  events.on('device-edited', ({ deviceId, update }) => ('timezone' in update ? replanning.rezone(deviceId) : undefined))
  events.on('device-claimed', ({ deviceId }) => replanning.rezone(deviceId))

  return {
    routes: scheduleRoutes({
      schedules,
      audit: deps.audit,
      find: auditSubject(
        (id) => scheduleModel.findById(id).lean<ScheduleDocument>(),
        ({ label }) => (label === '' ? 'Unnamed Schedule' : label),
        ['next', 'nextRunAt', 'tzVersion', 'planRev', 'beforeSetBack']
      )
    }),
    count: schedules.count,
    countOfUser: schedules.countOfUser,
    countByUser: repository.countByUser,
    /** Fires what is due, once; after `start` the runner does so by itself. */
    tick: runner.tick,
    /** Resolves when every result of a firing is stored. */
    settled: results.drain,
    indexes: () => ensureIndexes(scheduleModel, occurrenceModel),
    /** Fires what is due, now and from then on. */
    async start() {
      await replanning.replanForNewZones()
      await replanning.replanSkipped(null)
      if (deps.firesByHand !== true) runner.start()
    },
    stop: runner.stop
  }
}
