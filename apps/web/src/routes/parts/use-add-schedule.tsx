import type { SwitchRecord } from '@batti/contracts'
import { useState, type ReactNode } from 'react'
import { createPart, usePart } from '#web/lib/use-part.ts'

// Seldom opened, so it is not in the pages' own code.
const addSchedule = createPart(async () => (await import('./add-schedule.tsx')).AddSchedule)

/** What a page with switches gives their options, and the dialog to put into the page. */
export function useAddSchedule(): { open: (record: SwitchRecord) => void; dialog: ReactNode } {
  const [record, setRecord] = useState<SwitchRecord | null>(null)
  const dialog = usePart(addSchedule, record !== null, () => setRecord(null))
  return {
    open: setRecord,
    dialog: record !== null && dialog?.({ key: record._id, record, onClose: () => setRecord(null) })
  }
}
