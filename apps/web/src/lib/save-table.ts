import type { Timers } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'

/** The byte order mark tells Excel that the file is UTF-8; without it Nepali names are garbled. */
const mark = '\uFEFF'

/** Downloads a table as a file. */
export function saveTable(csv: string, name: string, clock: Pick<Timers, 'after'>): void {
  const url = URL.createObjectURL(new Blob([mark, csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Safari reads the file only after the press, and saves none that is gone by then.
  clock.after(minuteMs, () => URL.revokeObjectURL(url))
}
