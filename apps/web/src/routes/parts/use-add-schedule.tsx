import type { SwitchRecord } from '@batti/contracts'
import { lazy, Suspense, useState, type ReactNode } from 'react'

// Seldom opened, so it is not in the pages' own code.
const AddSchedule = lazy(async () => ({ default: (await import('./add-schedule.tsx')).AddSchedule }))

/** What a page with switches gives their options, and the dialog to put into the page. */
export function useAddSchedule(): { open: (record: SwitchRecord) => void; dialog: ReactNode } {
  const [record, setRecord] = useState<SwitchRecord | null>(null)
  return {
    open: setRecord,
    dialog: record !== null && (
      <Suspense>
        <AddSchedule key={record._id} record={record} onClose={() => setRecord(null)} />
      </Suspense>
    )
  }
}
