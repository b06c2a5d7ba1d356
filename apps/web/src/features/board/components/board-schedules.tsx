import { Link } from 'react-router-dom'
import { moreLinkClass, Section } from '#web/ui/page.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { WallTime } from '#web/ui/wall-time.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useBoardSchedules } from '../use-board.ts'
import { scheduleTitle } from '#web/lib/records/schedule-title.ts'

/** The schedules of the board. */
export function BoardSchedules({ deviceId, path }: { deviceId: string; path: string }) {
  const t = useText()
  const schedules = useBoardSchedules(deviceId)
  return (
    <Section
      title={t('board.schedules')}
      action={
        <Link to={path} className={moreLinkClass}>
          {t('board.allSchedules')}
        </Link>
      }
    >
      <QueryView isPart query={schedules} failed={t('board.schedulesFailed')} loading={<Skeleton className="h-16" />}>
        {(list) =>
          list.length === 0 ? (
            <p className="text-14 text-ink-3">{t('board.noSchedules')}</p>
          ) : (
            <ul className="grid gap-1 text-14 wrap-anywhere">
              {list.map((schedule) => (
                <li key={schedule._id} className={schedule.isActive ? undefined : 'text-ink-3'}>
                  <span className="font-medium">{scheduleTitle(t, schedule)}</span>{' '}
                  <WallTime time={schedule.startTime} />–<WallTime time={schedule.endTime} />,{' '}
                  {t(`board.repeat.${schedule.repeatType}`)}
                  {!schedule.isActive && `, ${t('board.passive')}`}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  )
}
