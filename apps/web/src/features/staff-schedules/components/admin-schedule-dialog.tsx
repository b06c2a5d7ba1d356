import {
  createSchedule,
  listLimitMax,
  listSchedules,
  repeatTypes,
  replaceSchedule,
  scheduleActions,
  type ScheduleBody,
  type ScheduleRecord
} from '@batti/contracts'
import { useState } from 'react'
import { CheckField } from '#web/ui/fields/check-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { RecordPicker, type PickerItem } from '#web/ui/fields/record-picker.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { TimeField } from '#web/ui/fields/time-field.tsx'
import { WeekdayField } from '#web/ui/fields/weekday-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useMakeOnce } from '#web/lib/api/use-make-once.ts'
import { beforeChange, changedIn } from '#web/lib/form/changed-of.ts'
import { useOpenedFields } from '#web/lib/form/use-opened-fields.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import { hasSameContent } from '#web/lib/records/has-same-content.ts'
import { listAllSwitches } from '#web/lib/records/list-all-switches.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useFoundRecords } from '#web/lib/records/use-found-records.ts'
import { useDroppedEnd } from '#web/lib/records/use-dropped-end.ts'

const fieldsOf = (schedule: ScheduleRecord | null) => ({
  label: schedule?.label ?? '',
  deviceId: schedule?.deviceId?._id ?? '',
  switchId: schedule?.switchId?._id ?? '',
  switchIndex: schedule?.switchIndex ?? '',
  startTime: schedule?.startTime ?? '',
  endTime: schedule?.endTime ?? '',
  startAction: schedule?.startAction ?? 'on',
  endAction: schedule?.endAction ?? 'off',
  repeatType: schedule?.repeatType ?? 'once',
  repeatDays: schedule?.repeatDays ?? [],
  endDate: schedule?.endDate ?? '',
  isActive: schedule?.isActive ?? true,
  ...(schedule !== null && { userId: schedule.userId })
})

/** Returns what the form was opened with, and its calls. */
function useScheduleCalls(schedule: ScheduleRecord | null) {
  const api = useApi()
  const make = useChange(createSchedule, staffViews.schedules)
  const replace = useChange(replaceSchedule, staffViews.schedules)
  const { opened, sendChanges } = useOpenedFields(fieldsOf(schedule))
  const schedulesOf = async (deviceId: string | undefined) => {
    const query = { limit: listLimitMax, ...(deviceId !== undefined && { deviceId }) }
    return (await api.call(listSchedules, { query })).schedules
  }
  const create = useMakeOnce(
    (body: ScheduleBody) => make({ body }),
    async (body) => (await schedulesOf(body.deviceId)).find((other) => hasSameContent(other, body))
  )
  /**
   * The call replaces the record: fields not changed here are sent with their current values, not those from opening
   * the form.
   */
  async function replaceAsItIs({ _id, deviceId }: ScheduleRecord, body: ScheduleBody) {
    const now = (await beforeChange(schedulesOf(deviceId?._id))).find((other) => other._id === _id)
    return sendChanges(body, (changes) =>
      replace({ params: { id: _id }, body: now === undefined ? body : changedIn(fieldsOf(now), changes, body) })
    )
  }
  return { opened, create, replaceAsItIs }
}

/** Adds or edits a schedule of any account's switch. */
export function AdminScheduleDialog({ schedule, onClose }: { schedule: ScheduleRecord | null; onClose: () => void }) {
  const t = useText()
  const api = useApi()
  const { opened, create, replaceAsItIs } = useScheduleCalls(schedule)
  const { field, choice, ...form } = useRouteForm({
    rules: bodyRules(createSchedule),
    initial: opened,
    save: (body) => (schedule === null ? create(body) : replaceAsItIs(schedule, body)),
    onSaved: onClose,
    done: t(schedule === null ? 'schedules.created' : 'schedules.updated'),
    failed: t('staffSchedules.saveFailed')
  })
  const switchId = choice('switchId')
  const switchIndex = choice('switchIndex')
  const deviceId = choice('deviceId')
  const userId = choice('userId')
  const [item, setItem] = useState<PickerItem | null>(
    schedule?.switchId ? { value: schedule.switchId._id, label: schedule.switchId.switchName } : null
  )
  const found = useFoundRecords({
    queryKey: queryKeys.switches,
    find: (search, signal) => api.call(listAllSwitches, { query: { limit: 10, search }, signal }),
    toItem: (record) => ({ value: record._id, label: record.switchName, more: record.deviceName }),
    failed: { first: t('staffSchedules.pickFailed'), search: t('staffSchedules.pickFailed') },
    initial: item?.label ?? ''
  })
  const repeat = choice('repeatType')
  const days = choice('repeatDays')
  const startTime = choice('startTime')
  const endTime = choice('endTime')
  const startAction = choice('startAction')
  const endAction = choice('endAction')
  const active = choice('isActive')
  const droppedEnd = useDroppedEnd()
  const stopped = schedule === null || active.value !== false ? null : droppedEnd(schedule)
  const actions = scheduleActions.map((value) => ({ value, label: t(`schedules.action.${value}`) }))
  return (
    <FormDialog
      form={form}
      title={t(schedule === null ? 'staffSchedules.add' : 'staffSchedules.edit')}
      submitLabel={t('schedules.save')}
      onClose={onClose}
    >
      <TextField label={t('staffSchedules.label')} {...field('label')} maxLength={100} aside={t('common.optional')} />
      <RecordPicker
        label={t('staffSchedules.switch')}
        value={item}
        error={switchId.error ?? switchIndex.error ?? deviceId.error}
        onChange={(picked) => {
          const record = found.records.find(({ _id }) => _id === picked?.value)
          setItem(picked)
          switchId.onChange(record?._id ?? '')
          switchIndex.onChange(record?.switchIndex ?? '')
          deviceId.onChange(record?.deviceId ?? '')
          if (record?.userId) userId.onChange(record.userId)
        }}
        {...found.picker}
      />
      <div className="grid grid-cols-2 gap-3">
        <TimeField label={t('staffSchedules.start')} {...startTime} value={textOf(startTime.value)} />
        <Segmented
          label={t('schedules.startAction')}
          value={startAction.value === 'off' ? 'off' : 'on'}
          choices={actions}
          onChange={startAction.onChange}
        />
        <TimeField label={t('staffSchedules.end')} {...endTime} value={textOf(endTime.value)} />
        <Segmented
          label={t('schedules.endAction')}
          value={endAction.value === 'on' ? 'on' : 'off'}
          choices={actions}
          onChange={endAction.onChange}
        />
      </div>
      <Segmented
        label={t('staffSchedules.repeat')}
        value={repeat.value ?? 'once'}
        choices={repeatTypes.map((value) => ({ value, label: t(`schedules.repeat.${value}`) }))}
        onChange={repeat.onChange}
      />
      {repeat.value === 'weekly' && (
        <WeekdayField value={days.value ?? []} error={days.error} onChange={days.onChange} />
      )}
      <TextField label={t('schedules.endDate')} {...field('endDate')} type="date" aside={t('common.optional')} />
      {schedule !== null && (
        <div>
          <CheckField label={t('schedules.active')} {...active} />
          <p role="status" className="text-14 text-ink-2">
            {stopped}
          </p>
        </div>
      )}
    </FormDialog>
  )
}

/** The call's schema accepts several types of time; the field has text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
