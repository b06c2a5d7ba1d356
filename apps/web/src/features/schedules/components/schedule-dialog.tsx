import type { ScheduleRecord } from '@batti/contracts'
import { useId, useMemo, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { fieldErrors } from '#web/lib/api/api-error.ts'
import { useTriedFields } from '#web/lib/form/use-tried-fields.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { browserZone } from '#web/lib/time/zone-name.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { useLater } from '#web/lib/use-later.ts'
import { useSave } from '#web/lib/use-save.ts'
import { zonedDate } from '#web/lib/time/zoned-time.ts'
import { useCreateSchedule, useUpdateSchedule } from '#web/features/schedules/api/change-schedule.ts'
import {
  changesOf,
  emptyForm,
  faultOf,
  faultyFields,
  fieldsOfFault,
  formOf,
  newScheduleOf,
  previewOf,
  type FaultyField,
  type ScheduleForm,
  type ScheduleTarget
} from '#web/features/schedules/schedule-form.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { SchedulePreview } from './schedule-preview.tsx'

export interface ScheduleDialogProps {
  /** The schedule to edit; null for a new one. */
  schedule: ScheduleRecord | null
  /** The switch it is for; null while none is chosen. */
  target: ScheduleTarget | null
  /** Shows the switch, or lets the person choose one. */
  targetField: ReactNode
  /** Called when somebody saves without a switch. */
  onSwitchMissing?: () => void
  /** For a new schedule: the zone of its board, if known, which defines the dates to choose from. */
  zone?: string | undefined
  onClose: () => void
}

/** The debounce before the server is asked for the next firings. */
const previewAfterMs = 350

/** The dialogs Add Schedule and Edit Schedule. */
export function ScheduleDialog({ schedule, target, targetField, onSwitchMissing, zone, onClose }: ScheduleDialogProps) {
  const t = useText()
  const formId = useId()
  const user = useUser()
  const { serverTime } = useServices()
  const create = useCreateSchedule()
  const update = useUpdateSchedule()
  const { tried, trying } = useTriedFields()
  const [before] = useState<ScheduleForm>(() => (schedule === null ? emptyForm : formOf(schedule)))
  const [form, setForm] = useState(before)
  const [error, setError] = useState<string | null>(null)
  const [wrongFields, setWrongFields] = useState<readonly FaultyField[]>([])
  const mode = schedule === null ? 'add' : 'edit'
  const wanted = useMemo(
    () => previewOf(form, target?.deviceId, schedule?._id),
    [form, target?.deviceId, schedule?._id]
  )
  const preview = useLater(wanted, previewAfterMs)
  const today = zonedDate(serverTime.now(), schedule?.timezone ?? zone ?? browserZone())

  const saving = useSave(
    async (of: ScheduleTarget, userId: string) => {
      if (schedule === null) return create.mutateAsync(newScheduleOf(form, of, userId))
      const changes = changesOf(before, form, tried)
      if (Object.keys(changes).length === 0) return schedule
      return trying(changes, (body) => update.mutateAsync({ id: schedule._id, body }))
    },
    {
      done: t(schedule === null ? 'schedules.created' : 'schedules.updated'),
      failed: t(schedule === null ? 'schedules.createFailed' : 'schedules.saveFailed'),
      onRefused: (message, refusal) => {
        setError(message)
        const refused = fieldErrors(refusal)
        setWrongFields(faultyFields.filter((name) => name in refused))
      }
    }
  )

  const change = (changes: Partial<ScheduleForm>) => {
    setForm((current) => ({ ...current, ...changes }))
    setError(null)
    setWrongFields([])
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    const fault = faultOf(form, mode, target)
    setWrongFields(fieldsOfFault(fault, form))
    if (target === null) onSwitchMissing?.()
    if (fault !== null || target === null || user === null) return setError(fault === null ? null : t(fault))
    setError(null)
    if (await saving.save(target, user._id)) onClose()
  }

  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      width="wide"
      title={t(schedule === null ? 'schedules.add' : 'schedules.editTitle')}
      isSaving={saving.isSaving}
      isDirty={JSON.stringify(form) !== JSON.stringify(before)}
      footer={
        <>
          {error !== null && (
            <p role="alert" className="w-full text-14 text-danger">
              {error}
            </p>
          )}
          <SheetClose />
          <Button type="submit" form={formId} isBusy={saving.isSaving}>
            {t('schedules.save')}
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        isSaving={saving.isSaving}
        className="grid grid-cols-1 items-start gap-x-6 gap-y-4 py-1 sm:grid-cols-[minmax(0,1fr)_16rem]"
        onSubmit={(event) => void submit(event)}
      >
        <div className="grid grid-cols-1 gap-4">
          {targetField}
          <ScheduleFields
            form={form}
            wrongFields={wrongFields}
            onChange={change}
            isLabelRequired={mode === 'edit'}
            today={today}
          />
        </div>
        <div className="sm:sticky sm:top-1">
          <SchedulePreview body={preview} />
        </div>
      </Form>
    </DialogSheet>
  )
}
