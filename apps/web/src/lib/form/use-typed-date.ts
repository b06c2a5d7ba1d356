import { useState, type ChangeEvent } from 'react'

/**
 * Returns the props of a date input that filters a list. Browsers report a date for each digit of its year: 0002, 0020,
 * 0202. Only the whole year filters; a year that is left unfinished is dropped.
 */
export function useTypedDate(value: string, onChange: (date: string) => void) {
  const [unfinished, setUnfinished] = useState<string | null>(null)
  return {
    value: unfinished ?? value,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      const isUnfinished = target.value.startsWith('0')
      setUnfinished(isUnfinished ? target.value : null)
      if (!isUnfinished) onChange(target.value)
    },
    onBlur: () => setUnfinished(null)
  }
}
