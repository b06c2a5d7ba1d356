import { useRef, useState, type ChangeEvent } from 'react'

/**
 * Returns the props of a date input that filters a list. Browsers report a date for each digit of its year: 0002, 0020,
 * 0202. Only the whole year filters; a year that is left unfinished is dropped. The first digit of a month or day is a
 * whole date too: `isCorrection` says that the date replaces one of the same visit to the field.
 */
export function useTypedDate(value: string, onChange: (date: string, isCorrection: boolean) => void) {
  const [unfinished, setUnfinished] = useState<string | null>(null)
  const hasChanged = useRef(false)
  return {
    value: unfinished ?? value,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      const isUnfinished = target.value.startsWith('0')
      setUnfinished(isUnfinished ? target.value : null)
      if (isUnfinished) return
      onChange(target.value, hasChanged.current)
      hasChanged.current = true
    },
    onBlur: () => {
      setUnfinished(null)
      hasChanged.current = false
    }
  }
}
