import { useMemo } from 'react'
import { useMedia } from '#web/lib/use-media.ts'
import { shownColumns, windowsFor, type Column } from './columns.ts'

/** Returns the columns of these names; without names, those that the window has room for. */
export function useShownColumns<Row>(
  columns: readonly Column<Row>[],
  names: readonly string[] | null,
  beside: Parameters<typeof windowsFor>[1]
) {
  const windows = windowsFor(columns, beside)
  const all = useMedia(windows.all)
  const usual = useMedia(windows.usual)
  const named = names?.join(',') ?? null
  return useMemo(() => shownColumns(columns, named?.split(',') ?? null, { all, usual }), [columns, named, all, usual])
}
