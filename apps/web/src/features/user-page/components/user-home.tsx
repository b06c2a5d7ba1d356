import { useIntl } from 'react-intl'
import { LinesPart } from '#web/ui/lines-part.tsx'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { wallTime } from '#web/lib/i18n/wall-clock.ts'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useRoomsOf, useSchedulesOf } from '#web/features/user-page/user-queries.ts'
import type { PartOfUser } from './user-boards.tsx'
import { scheduleTitle } from '#web/lib/records/schedule-title.ts'

export function UserRooms({ userId, pathOf }: PartOfUser) {
  const t = useText()
  const rooms = useRoomsOf(userId)
  return (
    <LinesPart
      title={t('users.rooms')}
      query={rooms}
      totalOf={({ total }) => total}
      all={pathOf(`rooms?userId=${userId}`)}
      failed={t('userPage.roomsFailed')}
      empty={t('userPage.noRooms')}
      linesOf={(answer) =>
        answer.rooms.map(({ _id, roomName, deviceCount, onlineCount }) => ({
          id: _id,
          title: roomName,
          end: t('userPage.roomBoards', { count: deviceCount, online: onlineCount }),
          to: pathOf(`devices?userId=${userId}&roomId=${_id}`)
        }))
      }
    />
  )
}

export function UserSchedules({ userId, pathOf }: PartOfUser) {
  const t = useText()
  const intl = useIntl()
  const schedules = useSchedulesOf(userId)
  return (
    <LinesPart
      title={t('users.schedules')}
      query={schedules}
      totalOf={({ total }) => total}
      all={pathOf(`schedules?userId=${userId}`)}
      failed={t('userPage.schedulesFailed')}
      empty={t('userPage.noSchedules')}
      linesOf={(answer) =>
        answer.schedules.map((schedule) => ({
          id: schedule._id,
          title: scheduleTitle(t, schedule),
          more: dotted(
            schedule.deviceId === null ? '' : deviceTitle(schedule.deviceId),
            schedule.switchId?.switchName ?? ''
          ),
          end: t('userPage.times', {
            from: wallTime(intl, schedule.startTime),
            to: wallTime(intl, schedule.endTime),
            state: t(schedule.isActive ? 'schedules.active' : 'schedules.inactive')
          })
        }))
      }
    />
  )
}
