import type { DeviceRecord } from '@batti/contracts'
import { Check } from 'lucide-react'
import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ColourField } from '#web/ui/fields/colour-field.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { RoomSelect } from '#web/ui/fields/room-select.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { SpinnerRing } from '#web/ui/spinner-ring.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { faultsOf } from '#web/lib/form/fault-words.ts'
import { useTriedFields } from '#web/lib/form/use-tried-fields.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useSave } from '#web/lib/use-save.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { hasTakenSettings, useDevice } from '#web/features/devices/api/get-device.ts'
import { useUpdateDevice } from '#web/features/devices/api/update-device.ts'
import { canSave, changesOf, formOf, type DeviceForm } from '#web/features/devices/device-form.ts'
import { DeviceFacts } from './device-facts.tsx'

export interface DeviceDetailsDialogProps {
  device: DeviceRecord
  /** Rooms to which it may be assigned. */
  rooms: readonly { _id: string; roomName: string }[]
  /** Under the title: whether it is online. */
  presence: ReactNode
  onClose: () => void
}

/** The fields of the call that the form shows. */
const fields = ['setName', 'setRoom', 'activeColor', 'wifiSSID', 'wifiPassword'] as const

/** A board's details: what it reports, and what its owner may change. */
export function DeviceDetailsDialog({ device, rooms, presence, onClose }: DeviceDetailsDialogProps) {
  const t = useText()
  const formId = useId()
  const update = useUpdateDevice()
  // Newer than the list's record once the board has confirmed a change.
  const current = useDevice(device._id).data ?? device
  const before = formOf(current)
  // Fields in which nothing was typed follow the board's record.
  const [typed, setTyped] = useState<Partial<DeviceForm>>({})
  const form = { ...before, ...typed }
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({})
  const change = (changes: Partial<DeviceForm>) => {
    setTyped((now) => ({ ...now, ...changes }))
    setFaults({})
  }
  const { tried, trying } = useTriedFields()
  const changes = changesOf(before, form, rooms.find(({ _id }) => _id === form.roomId)?.roomName ?? null, tried)
  const isDirty = Object.keys(changes).length > 0

  const saving = useSave(
    async () => isDirty && (await trying(changes, () => update.mutateAsync({ id: device._id, changes }))),
    {
      done: t('details.saved'),
      failed: t('details.saveFailed'),
      onRefused: (message, error) => {
        const found = faultsOf(t, error)
        setFaults(found)
        if (!fields.some((field) => field in found)) notify.error(message)
      }
    }
  )

  async function save(event: FormEvent) {
    event.preventDefault()
    if (!canSave(form)) return
    setFaults({})
    if (await saving.save()) setTyped({})
  }
  // A room that is not in the list (which may not have loaded) is shown by the name in the board's record.
  const own = current.setRoom
  const choices = own === null || rooms.some(({ _id }) => _id === own._id) ? rooms : [own, ...rooms]

  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      width="wide"
      title={deviceTitle(current)}
      description={presence}
      isDirty={isDirty}
      isSaving={saving.isSaving}
      footer={
        <>
          <SettingsState device={current} />
          <SheetClose label={t('common.close')} />
          <Button type="submit" form={formId} isBusy={saving.isSaving} disabled={!canSave(form)}>
            {t('details.save')}
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        isSaving={saving.isSaving}
        onSubmit={(event) => void save(event)}
        className="grid gap-4 py-1 sm:grid-cols-2"
      >
        <TextField
          label={t('details.name')}
          value={form.name}
          maxLength={100}
          autoComplete="off"
          placeholder={device.deviceName}
          error={faults['setName']}
          onChange={(event) => change({ name: event.target.value })}
        />
        <RoomSelect
          label={t('details.room')}
          value={form.roomId}
          rooms={choices}
          error={faults['setRoom']}
          onChange={(roomId) => change({ roomId })}
        />
        <ColourField
          label={t('details.colour')}
          value={form.colour}
          error={faults['activeColor']}
          onChange={(colour) => change({ colour })}
        />
        <div className="grid content-start gap-4 sm:col-span-2 sm:grid-cols-2">
          <TextField
            label={t('details.wifi')}
            value={form.wifiName}
            maxLength={32}
            autoComplete="off"
            error={faults['wifiSSID']}
            onChange={(event) => change({ wifiName: event.target.value })}
          />
          <PasswordField
            label={t('details.wifiPassword')}
            value={form.wifiPassword}
            maxLength={64}
            autoComplete="off"
            error={faults['wifiPassword']}
            onChange={(event) => change({ wifiPassword: event.target.value })}
          />
          <p className="text-14 text-ink-3 sm:col-span-2">{t('details.wifiHint')}</p>
        </div>
      </Form>
      <section aria-label={t('details.facts')} className="mt-5 border-t border-line pt-5">
        <DeviceFacts device={current} />
      </section>
    </DialogSheet>
  )
}

/** Shows whether the board has applied the saved settings; empty if none were sent. */
function SettingsState({ device }: { device: DeviceRecord }) {
  const t = useText()
  const isTaken = hasTakenSettings(device)
  return (
    <output className="mr-auto flex min-h-11 items-center gap-2 text-14 text-ink-2">
      {device.configRev > 0 && (
        <>
          {isTaken ? (
            <Check aria-hidden="true" size={16} className="text-ok" />
          ) : (
            <SpinnerRing className="size-4 text-ink-3" />
          )}
          {t(isTaken ? 'details.taken' : 'details.waiting')}
        </>
      )}
    </output>
  )
}
