import { durationSeconds, type ScheduleRecord } from '@batti/contracts'
import { ArrowRight, Pencil, Repeat, Trash2 } from 'lucide-react'
import { useIntl } from 'react-intl'
import { Badge } from '#web/ui/badge.tsx'
import { cardClass } from '#web/ui/card.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Name } from '#web/ui/name.tsx'
import { Toggle } from '#web/ui/fields/toggle.tsx'
import { cn } from '#web/lib/cn.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { durationText } from '#web/lib/i18n/duration-words.ts'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { wallTime } from '#web/lib/i18n/wall-clock.ts'
import { scheduleTitle } from '#web/lib/records/schedule-title.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import { browserZone, zoneName } from '#web/lib/time/zone-name.ts'
import { useRepeatText } from '#web/features/schedules/use-repeat-text.ts'
import { DayBar } from './day-bar.tsx'

export interface ScheduleCardProps {
  schedule: ScheduleRecord
  /** A change between active and inactive is pending. */
  isFlipping: boolean
  onEdit: () => void
  onDelete: () => void
  onFlip: () => void
}

/** A schedule: switch, times, repetition, end, and whether it is active. */
export function ScheduleCard({ schedule, isFlipping, onEdit, onDelete, onFlip }: ScheduleCardProps) {
  const t = useText()
  const intl = useIntl()
  const repeatText = useRepeatText(schedule)
  const { isActive, startTime, endTime, startAction, endAction, nextRunAt, timezone } = schedule
  const title = scheduleTitle(t, schedule)
  const board = schedule.deviceId
  const boardName = board === null ? t('schedules.goneBoard') : deviceTitle(board)
  const place = t('switch.name', { number: schedule.switchIndex + 1 })
  const switchName = switchWords(t, schedule.switchId?.switchName.trim() || place)
  const target = switchName === place ? switchName : dotted(switchName, place)
  return (
    <article
      className={cn(
        cardClass(false),
        'flex flex-col p-4 [contain-intrinsic-size:auto_18rem] [content-visibility:auto]',
        !isActive && 'bg-transparent shadow-none'
      )}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        {/* The state wraps below a name that leaves no room beside it. */}
        <div className="min-w-[min(100%,7rem)] flex-1">
          <h2 className="font-semibold">
            <Name>{title}</Name>
          </h2>
          <p className="text-14 text-ink-2">
            <Name>{target}</Name>
          </p>
          <p className="text-14 text-ink-3">
            <Name>{boardName}</Name>
          </p>
        </div>
        <Badge tone={isActive ? 'ok' : 'muted'} hasDot>
          {t(isActive ? 'schedules.active' : 'schedules.inactive')}
        </Badge>
      </div>
      <dl className="mt-4 flex flex-wrap items-end gap-x-3 gap-y-2">
        <Moment
          term={t('schedules.start')}
          time={wallTime(intl, startTime)}
          action={t(`schedules.action.${startAction}`)}
        />
        <ArrowRight aria-hidden="true" size={18} className="mb-1.5 text-ink-3" />
        <Moment term={t('schedules.end')} time={wallTime(intl, endTime)} action={t(`schedules.action.${endAction}`)} />
        <div className="ml-auto text-right whitespace-nowrap">
          <dt className="text-12 text-ink-3">{t('schedules.duration')}</dt>
          <dd className="text-14 font-medium">{durationText(intl, durationSeconds(startTime, endTime))}</dd>
        </div>
      </dl>
      <DayBar startTime={startTime} endTime={endTime} isActive={isActive} />
      <p className="mt-3 flex items-start gap-2 text-14 text-ink-2">
        <Repeat aria-hidden="true" size={16} className="mt-0.5 text-ink-3" />
        {repeatText}
      </p>
      {isActive && nextRunAt !== null && (
        <p className="mt-1 text-14 text-ink-3">
          {t('schedules.next', {
            time: intl.formatDate(nextRunAt, {
              weekday: 'short',
              day: 'numeric',
              month: 'short',
              hour: '2-digit',
              minute: '2-digit',
              hourCycle: 'h23',
              timeZone: timezone
            })
          })}
        </p>
      )}
      {/* Who is far from home would take the times for their own. */}
      {zoneName(timezone) !== browserZone() && (
        <p className="mt-1 text-14 text-ink-3">{t('schedules.inZone', { zone: zoneName(timezone) })}</p>
      )}
      <div className="mt-auto -mr-1.5 -mb-1 flex flex-wrap items-center gap-2 pt-4">
        <Toggle tone="setting" isOn={isActive} isPending={isFlipping} label={title} onChange={onFlip} />
        <span aria-hidden="true" className="text-14 font-medium text-ink-2">
          {t(isActive ? 'schedules.setPassive' : 'schedules.setActive')}
        </span>
        <span className="ml-auto flex gap-2">
          <IconButton label={t('schedules.editNamed', { name: title })} icon={<Pencil size={18} />} onClick={onEdit} />
          <IconButton
            label={t('schedules.deleteNamed', { name: title })}
            icon={<Trash2 size={18} />}
            onClick={onDelete}
          />
        </span>
      </div>
    </article>
  )
}

function Moment({ term, time, action }: { term: string; time: string; action: string }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{term}</dt>
      <dd className="flex items-baseline gap-1.5">
        <span className="text-20 font-semibold">{time}</span>
        <span className="text-14 text-ink-2">{action}</span>
      </dd>
    </div>
  )
}
