import { createSwitch, listDevices, updateSwitchRecord, type SwitchRecord } from '@batti/contracts'
import { useState } from 'react'
import { CheckField } from '#web/ui/fields/check-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { RecordPicker, type PickerItem } from '#web/ui/fields/record-picker.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useCreate } from '#web/lib/api/use-create.ts'
import { useOpenedFields } from '#web/lib/form/use-opened-fields.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useFoundRecords } from '#web/lib/records/use-found-records.ts'
import { listAllSwitches } from '#web/lib/records/list-all-switches.ts'

/** Creates a switch of a board, or edits its name, place, favourite mark and state. */
export function SwitchFormDialog({ record, onClose }: { record: SwitchRecord | null; onClose: () => void }) {
  const t = useText()
  const api = useApi()
  const create = useCreate(
    useChange(createSwitch, staffViews.switches),
    (query) => api.call(listAllSwitches, { query }),
    ({ deviceId, switchIndex, status }, { body }) =>
      deviceId === body.deviceId && switchIndex === body.switchIndex && status === (body.status ?? status)
  )
  const update = useChange(updateSwitchRecord, staffViews.switches)
  const { opened, sendChanges } = useOpenedFields({
    switchName: record?.switchName ?? '',
    switchIndex: record?.switchIndex ?? 0,
    status: record?.status ?? false,
    isFavorite: record?.isFavorite ?? false,
    deviceId: record?.deviceId ?? ''
  })
  const { field, choice, ...form } = useRouteForm({
    rules: bodyRules(createSwitch),
    initial: opened,
    save: (body) =>
      record === null
        ? create({ body })
        : // The state is a command to the board: it is sent only if it was changed, not with every rename.
          sendChanges(body, (changes) => update({ params: { id: record._id }, body: changes })),
    onSaved: onClose,
    done: t('staffSwitches.saved'),
    failed: t('staffSwitches.saveFailed')
  })
  const device = choice('deviceId')
  const [board, setBoard] = useState<PickerItem | null>(
    record === null ? null : { value: record.deviceId, label: record.deviceName }
  )
  return (
    <FormDialog
      form={form}
      title={t(record === null ? 'staffSwitches.add' : 'staffSwitches.edit')}
      submitLabel={t(record === null ? 'staffSwitches.add' : 'common.save')}
      onClose={onClose}
    >
      <TextField label={t('staffSwitches.name')} {...field('switchName')} maxLength={100} autoComplete="off" />
      <TextField
        label={t('staffSwitches.index')}
        hint={t('staffSwitches.indexHint')}
        {...field('switchIndex')}
        inputMode="numeric"
        autoComplete="off"
      />
      <DevicePicker
        value={board}
        error={device.error === undefined ? undefined : t('staffSwitches.deviceNeeded')}
        onChange={(item) => {
          setBoard(item)
          device.onChange(item?.value ?? '')
        }}
      />
      <CheckField label={t('staffSwitches.isOn')} {...choice('status')} />
      <CheckField label={t('staffSwitches.isFavorite')} {...choice('isFavorite')} />
    </FormDialog>
  )
}

function DevicePicker({
  value,
  error,
  onChange
}: {
  value: PickerItem | null
  error: string | undefined
  onChange: (item: PickerItem | null) => void
}) {
  const t = useText()
  const api = useApi()
  const { picker } = useFoundRecords({
    queryKey: queryKeys.devices,
    find: async (search, signal) => (await api.call(listDevices, { query: { limit: 5, search }, signal })).devices,
    toItem: (device) => ({ value: device._id, label: deviceTitle(device), more: device.deviceMac }),
    failed: { first: t('staffSwitches.devicesFailed'), search: t('staffSwitches.devicesFailed') },
    initial: value?.label ?? ''
  })
  return <RecordPicker label={t('staffSwitches.device')} value={value} onChange={onChange} error={error} {...picker} />
}
