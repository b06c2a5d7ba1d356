import { listSchedules, type ScheduleRecord } from '@batti/contracts'
import type { Column } from '#web/ui/data-table/columns.ts'
import { T } from '#web/ui/text.tsx'
import { WallTime } from '#web/ui/wall-time.tsx'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { scheduleTitle } from '#web/lib/records/schedule-title.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useList } from '#web/lib/lists/use-list.ts'

const filters = ['userId', 'deviceId'] as const

export const useStaffScheduleList = () =>
  useList({
    name: 'schedules',
    route: listSchedules,
    rows: ({ schedules }) => schedules,
    pageSize: 100,
    queryKey: queryKeys.schedules,
    filters
  })

export const boardOf = ({ deviceId }: ScheduleRecord): string => (deviceId === null ? '' : deviceTitle(deviceId))

export const scheduleColumns: readonly Column<ScheduleRecord>[] = [
  {
    id: 'label',
    label: 'staffSchedules.label',
    value: (schedule, t) => scheduleTitle(t, schedule),
    width: 180
  },
  { id: 'device', label: 'staffSchedules.device', value: boardOf, width: 170, card: { line: 2 } },
  {
    id: 'switch',
    label: 'staffSchedules.switch',
    value: ({ switchId }) => switchId?.switchName ?? null,
    width: 150,
    card: { line: 2, isEnd: true }
  },
  { id: 'switchIndex', label: 'staffSchedules.index', width: 75, isNumber: true },
  {
    id: 'startTime',
    label: 'staffSchedules.start',
    cell: ({ startTime, startAction }) => (
      <>
        <WallTime time={startTime} /> <T id={`schedules.action.${startAction}`} />
      </>
    ),
    words: ({ startTime, startAction }, t) => `${startTime} ${t(`schedules.action.${startAction}`)}`,
    width: 105,
    card: { line: 3 }
  },
  {
    id: 'endTime',
    label: 'staffSchedules.end',
    cell: ({ endTime, endAction }) => (
      <>
        <WallTime time={endTime} /> <T id={`schedules.action.${endAction}`} />
      </>
    ),
    words: ({ endTime, endAction }, t) => `${endTime} ${t(`schedules.action.${endAction}`)}`,
    width: 105,
    card: { line: 3 }
  },
  {
    id: 'repeatType',
    label: 'staffSchedules.repeat',
    value: ({ repeatType }, t) => t(`schedules.repeat.${repeatType}`),
    width: 95,
    card: { line: 4 }
  },
  {
    id: 'isActive',
    label: 'staffSchedules.status',
    value: ({ isActive }, t) => t(isActive ? 'schedules.active' : 'schedules.inactive'),
    width: 95,
    card: { line: 4, isEnd: true }
  }
]
