import { updateDevice, type DeviceRecord } from '@batti/contracts'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useSave } from '#web/lib/use-save.ts'
import { dayInstant, instantDay } from '#web/lib/time/own-day.ts'

/** Pins a board to a version: rollouts skip it until the pin expires or is removed. */
export function PinDialog({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const t = useText()
  const pin = device.pinnedVersion ?? null
  const update = useChange(updateDevice, staffViews.devices)
  const params = { id: device._id }
  const [day, setDay] = useState(pin === null ? '' : instantDay(pin.endsAt))
  const { field, ...form } = useRouteForm({
    rules: bodyRules(updateDevice).shape.pinnedVersion.unwrap().unwrap(),
    initial: { version: pin?.version ?? device.osVersion, reason: pin?.reason ?? '', endsAt: pin?.endsAt ?? null },
    save: ({ version, reason }) =>
      update({
        params,
        body: {
          pinnedVersion: { version, reason, endsAt: dayInstant(day, 'end') ?? null }
        }
      }),
    onSaved: onClose,
    done: t('board.pinned'),
    failed: t('staffDevices.updateFailed')
  })
  const unpinning = useSave(() => update({ params, body: { pinnedVersion: null } }), {
    done: t('board.unpinned'),
    failed: t('staffDevices.updateFailed')
  })
  return (
    <FormDialog
      form={form}
      title={t('board.pin')}
      description={t('board.pinHint')}
      submitLabel={t('board.pin')}
      extra={
        pin !== null && (
          <Button
            variant="quiet"
            isBusy={unpinning.isSaving}
            onClick={() => void unpinning.save().then((isDone) => isDone && onClose())}
          >
            {t('board.unpin')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <TextField label={t('files.version')} {...field('version')} maxLength={32} autoComplete="off" />
      <TextField label={t('board.pinReason')} {...field('reason')} maxLength={200} autoComplete="off" />
      <TextField
        type="date"
        label={t('board.pinEnds')}
        aside={t('common.optional')}
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
    </FormDialog>
  )
}
