import type { Clock } from '@batti/kit/clock'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { RunInTransaction } from '../../platform/store/transactions.ts'
import type { BoardCopies } from './board/board-copies.ts'
import type { OccurrencesRepository } from './runs/occurrences.repository.ts'
import type { ScheduleTargets } from './schedule-targets.ts'
import type { SchedulesRepository } from './schedules.repository.ts'

export interface SchedulesOptions {
  schedules: SchedulesRepository
  occurrences: Pick<OccurrencesRepository, 'skipOfSchedules' | 'deleteOfSchedules' | 'supersede'>
  targets: ScheduleTargets
  boardCopies: BoardCopies
  directory: DeviceDirectory
  clock: Clock
  inTransaction: RunInTransaction
  /** The version of this process's time zone database. */
  tzVersion: string
  /** In the whole installation, for the search by staff. */
  findDeviceIdsByName(search: string): Promise<string[] | null>
  findSwitchIdsByName(search: string): Promise<string[] | null>
}
