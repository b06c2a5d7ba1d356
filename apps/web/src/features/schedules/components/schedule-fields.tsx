import { durationSeconds, endsNextDay, minuteOf } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { TimeField } from '#web/ui/fields/time-field.tsx'
import { WeekdayField } from '#web/ui/fields/weekday-field.tsx'
import { durationText } from '#web/lib/i18n/duration-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { FaultyField, ScheduleForm } from '#web/features/schedules/schedule-form.ts'

export interface ScheduleFieldsProps {
  form: ScheduleForm
  wrongFields: readonly FaultyField[]
  onChange: (changes: Partial<ScheduleForm>) => void
  isLabelRequired: boolean
  /** The earliest date to choose: `YYYY-MM-DD`. */
  today: string
}

/** Start and end times, their actions, and the repetition. */
export function ScheduleFields({ form, wrongFields, onChange, isLabelRequired, today }: ScheduleFieldsProps) {
  const t = useText()
  const intl = useIntl()
  const { startTime, endTime, repeatType, ends } = form
  const actions = [
    { value: 'on', label: t('schedules.action.on') },
    { value: 'off', label: t('schedules.action.off') }
  ] as const
  const hasDuration = startTime !== '' && endTime !== '' && startTime !== endTime
  const hasEndDate = repeatType === 'once' || ends === 'on-date'
  return (
    <>
      <TextField
        label={t('schedules.label')}
        aside={isLabelRequired ? undefined : t('common.optional')}
        isWrong={wrongFields.includes('label')}
        value={form.label}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onChange({ label: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TimeField
          label={t('schedules.start')}
          isWrong={wrongFields.includes('startTime')}
          value={startTime}
          onChange={(next) => onChange({ startTime: next })}
        />
        <Segmented
          label={t('schedules.startAction')}
          value={form.startAction}
          choices={actions}
          onChange={(startAction) => onChange({ startAction })}
        />
        <TimeField
          label={t('schedules.end')}
          isWrong={wrongFields.includes('endTime')}
          value={endTime}
          onChange={(next) => onChange({ endTime: next })}
        />
        <Segmented
          label={t('schedules.endAction')}
          value={form.endAction}
          choices={actions}
          onChange={(endAction) => onChange({ endAction })}
        />
      </div>
      <output className="-mt-1 min-h-5 text-14 text-ink-2">
        {hasDuration &&
          t(endsNextDay(minuteOf(startTime), minuteOf(endTime)) ? 'schedules.lastsOver' : 'schedules.lasts', {
            duration: durationText(intl, durationSeconds(startTime, endTime))
          })}
      </output>
      <Segmented
        label={t('schedules.repeat')}
        value={repeatType}
        choices={[
          { value: 'once', label: t('schedules.repeat.once') },
          { value: 'daily', label: t('schedules.repeat.daily') },
          { value: 'weekly', label: t('schedules.repeat.weekly') }
        ]}
        onChange={(next) => onChange({ repeatType: next })}
      />
      {repeatType === 'weekly' && (
        <WeekdayField
          isWrong={wrongFields.includes('days')}
          value={form.days}
          onChange={(days) => onChange({ days })}
        />
      )}
      <div className="grid gap-3">
        {repeatType !== 'once' && (
          <Segmented
            label={t('schedules.ends')}
            value={ends}
            choices={[
              { value: 'on-date', label: t('schedules.ends.onDate') },
              { value: 'never', label: t('schedules.ends.never') }
            ]}
            onChange={(next) => onChange({ ends: next })}
          />
        )}
        {hasEndDate && (
          <TextField
            type="date"
            label={t(repeatType === 'once' ? 'schedules.date' : 'schedules.endDate')}
            aside={repeatType === 'once' ? t('common.optional') : undefined}
            min={today}
            isWrong={wrongFields.includes('endDate')}
            value={form.endDate}
            onChange={(event) => onChange({ endDate: event.target.value })}
          />
        )}
      </div>
      {repeatType === 'once' && form.endDate === '' && (
        <p className="-mt-1 text-14 text-ink-3">{t('schedules.onceHint')}</p>
      )}
    </>
  )
}
