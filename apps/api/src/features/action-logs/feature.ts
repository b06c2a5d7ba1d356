import type { Boards } from '../../boards/boards.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import { createFairShare } from '../../platform/http/limits/fair-share.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import { createActionLogsRepository } from './action-logs.repository.ts'
import { actionLogRoutes } from './action-logs.routes.ts'
import { createActionLogsService, type ActionLogsOptions } from './action-logs.service.ts'
import { createClearings } from './clearings.ts'
import { createOnTimesService } from './on-times.service.ts'

interface ActionLogsDeps extends Pick<Platform, 'clock' | 'connection' | 'databaseDeadlineMs' | 'log'> {
  audit: Audit
  boards: Pick<Boards, 'models' | 'directory' | 'store' | 'link'>
  people: Pick<ActionLogsOptions, 'findPeople' | 'searchPeople'>
  accounts: { onErase(step: (userId: string) => Promise<void>): void }
  switches: { deviceIdOf(switchId: string): Promise<string | null> }
}

/** The longest waits, in deadlines of one database call: of a reader for pending writes, and for the many calls that clear a log. */
const waits = { stored: 0.2, cleared: 4 }

interface Owned {
  _id: unknown
  ownedSince: Date
}

/** The log of what boards did, and the on-times of switches. */
export function createActionLogsFeature(deps: ActionLogsDeps) {
  const { clock, connection, databaseDeadlineMs, log, audit, boards, people, accounts, switches } = deps
  const repository = createActionLogsRepository(boards.models.actionLogs)
  const longReads = createFairShare(1)
  const clearings = createClearings({
    connection,
    log,
    answerWithinMs: waits.cleared * databaseDeadlineMs,
    deleteRows: repository.deleteRows
  })
  const deviceIdOfSwitch = switches.deviceIdOf
  const actionLogs = createActionLogsService({
    actionLogs: repository,
    clearings,
    longReads,
    deviceIdOfSwitch,
    whenStored: () => boards.store.caughtUp(waits.stored * databaseDeadlineMs),
    forgetUnreported: boards.link.forgetPerson,
    forgetCommands: boards.store.forgetPerson,
    findPeople: people.findPeople,
    searchPeople: people.searchPeople
  })
  const onTimes = createOnTimesService({
    actionLogs: repository,
    directory: boards.directory,
    clock,
    longReads,
    async ownedSince(ids) {
      const condition = { _id: { $in: [...ids] }, ownedSince: { $ne: null } }
      const found = await boards.models.devices.find(condition, { ownedSince: 1 }).lean<Owned[]>()
      return new Map(found.map(({ _id, ownedSince }) => [String(_id), ownedSince.getTime()]))
    },
    deviceIdOfSwitch
  })
  accounts.onErase(actionLogs.eraseOfUser)

  return {
    routes: actionLogRoutes({
      actionLogs,
      onTimes,
      audit,
      find: auditSubject(
        (id) => boards.models.actionLogs.findById(id).lean<ActionLogDocument>(),
        (row) => row.description
      )
    }),
    count: repository.count,
    start: () => clearings.resume()
  }
}
