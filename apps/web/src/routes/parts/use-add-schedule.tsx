import type { SwitchRecord } from '@batti/contracts'
import { useState, type ReactNode } from 'react'
import { createPart, usePart } from '#web/lib/use-part.ts'

// Rarely opened, so it is loaded on demand.
const addSchedule = createPart(async () => (await import('./add-schedule.tsx')).AddSchedule)

/** Returns a function for the options of the page's switches, and the dialog to render in the page. */
export function useAddSchedule(): { open: (record: SwitchRecord) => void; dialog: ReactNode } {
  const [record, setRecord] = useState<SwitchRecord | null>(null)
  const dialog = usePart(addSchedule, record !== null, () => setRecord(null))
  return {
    open: setRecord,
    dialog: record !== null && dialog?.({ key: record._id, record, onClose: () => setRecord(null) })
  }
}
