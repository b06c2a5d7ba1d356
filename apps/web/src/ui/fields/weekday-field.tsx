import { weekdays, type Weekday } from '@batti/contracts'
import { useId } from 'react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { weekdayName } from '#web/lib/i18n/weekday-name.ts'

/** A choice of any days, Sun to Sat. */
export function WeekdayField({
  value,
  isWrong,
  error,
  onChange
}: {
  value: readonly Weekday[]
  /** The field is wrong, and the message stands elsewhere. */
  isWrong?: boolean
  error?: string | undefined
  onChange: (days: Weekday[]) => void
}) {
  const t = useText()
  const intl = useIntl()
  const errorId = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-14 font-medium text-ink-2">{t('schedules.days')}</legend>
      <div className="grid grid-cols-7 gap-1">
        {weekdays.map((day) => (
          <label
            key={day}
            className={cn(
              'grid min-h-11 cursor-pointer place-items-center rounded-control border border-edge text-12 font-medium text-ink-2 transition-colors duration-160 hover:text-ink sm:text-14',
              'has-checked:border-transparent has-checked:bg-ink has-checked:text-page has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent'
            )}
          >
            <input
              type="checkbox"
              className="sr-only"
              aria-invalid={isWrong || error !== undefined || undefined}
              aria-describedby={error && errorId}
              checked={value.includes(day)}
              aria-label={weekdayName(intl, day, 'long')}
              onChange={(event) =>
                onChange(event.target.checked ? [...value, day] : value.filter((each) => each !== day))
              }
            />
            <span aria-hidden="true">{weekdayName(intl, day, 'short')}</span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={errorId} role="alert" className="mt-1.5 text-14 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
