import { updateDevice, type DeviceRecord } from '@batti/contracts'
import { Button } from '#web/ui/button.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ApiError } from '#web/lib/api/api-error.ts'
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
  const { field, choice, ...form } = useRouteForm({
    rules: bodyRules(updateDevice).shape.pinnedVersion.unwrap().unwrap(),
    initial: { version: pin?.version ?? device.osVersion, reason: pin?.reason ?? '', endsAt: pin?.endsAt ?? null },
    save: (pinnedVersion) => update({ params, body: { pinnedVersion } }).catch(atField),
    onSaved: onClose,
    done: t('board.pinned'),
    failed: t('staffDevices.updateFailed')
  })
  const unpinning = useSave(() => update({ params, body: { pinnedVersion: null } }), {
    done: t('board.unpinned'),
    failed: t('staffDevices.updateFailed')
  })
  const endsAt = choice('endsAt')
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
        value={instantDay(endsAt.value ?? null)}
        error={endsAt.error}
        onChange={(event) => endsAt.onChange(dayInstant(event.target.value, 'end') ?? null)}
      />
    </FormDialog>
  )
}

/** Throws the error with the fields of the pin as the form calls them: `endsAt`, not `pinnedVersion.endsAt`. */
function atField(error: unknown): never {
  if (error instanceof ApiError)
    error.errors = error.errors.map((fault) => ({ ...fault, path: fault.path.replace(/^pinnedVersion\./, '') }))
  throw error
}
