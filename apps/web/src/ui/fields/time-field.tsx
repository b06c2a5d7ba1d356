import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { steppedTime, timeOf, typedTime } from '#web/lib/time/clock-time.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { FieldProps } from './field.tsx'
import { TextField } from './text-field.tsx'

export interface TimeFieldProps extends Omit<FieldProps, 'children'> {
  /** `HH:MM`, or '' for none. */
  value: string
  onChange: (time: string) => void
}

/**
 * A time of day on the 24-hour clock in every browser, as the native field follows the system's am and pm. The colon is
 * optional; the arrow keys change the hour or the minute at the caret.
 */
export function TimeField({ value, onChange, error, ...field }: TimeFieldProps) {
  const t = useText()
  // The text while it is being typed; null while the value is shown.
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const stepped = useRef<{ input: HTMLInputElement; isHour: boolean } | null>(null)
  const shown = typed ?? value

  useLayoutEffect(() => {
    if (stepped.current === null) return
    const { input, isHour } = stepped.current
    stepped.current = null
    // Selects the part, so that the next arrow changes it again and a screen reader reads it.
    input.setSelectionRange(isHour ? 0 : 3, isHour ? 2 : 5)
  })

  function take(text: string) {
    const next = typedTime(text, shown)
    setTyped(next)
    setLeft(false)
    onChange(timeOf(next, false) ?? '')
  }
  function finish() {
    if (typed === null) return
    const time = timeOf(typed, true)
    if (time !== null && time !== value) onChange(time)
    if (time !== null || typed === '') setTyped(null)
    setLeft(true)
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    // Enter submits the form, so the value must be set before.
    if (event.key === 'Enter') finish()
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const input = event.currentTarget
    const time = timeOf(shown, true)
    const isHour = (input.selectionStart ?? 0) < 3
    const step = (isHour ? 60 : 1) * (event.key === 'ArrowUp' ? 1 : -1)
    stepped.current = { input, isHour }
    setTyped(null)
    onChange(time === null ? '00:00' : steppedTime(time, step))
  }

  return (
    <TextField
      {...field}
      error={error ?? (isLeft && typed !== null ? t('common.timeFault') : undefined)}
      value={shown}
      inputMode="numeric"
      autoComplete="off"
      placeholder={t('common.timeShape')}
      onChange={(event) => take(event.target.value)}
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  )
}
