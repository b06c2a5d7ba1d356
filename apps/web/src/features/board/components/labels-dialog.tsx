import { updateDevice, type DeviceRecord } from '@batti/contracts'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'

const split = (text: unknown): unknown =>
  typeof text === 'string'
    ? text
        .split(',')
        .map((label) => label.trim())
        .filter((label) => label !== '')
    : text

/** Edits the labels of a board, which rollouts and filters use. */
export function LabelsDialog({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const t = useText()
  const update = useChange(updateDevice, staffViews.devices)
  const { read, ...form } = useRouteForm({
    rules: bodyRules(updateDevice).pick({ labels: true }).required(),
    initial: { labels: [...(device.labels ?? [])] },
    save: (body) => update({ params: { id: device._id }, body }),
    onSaved: onClose,
    done: t('staffDevices.updated'),
    failed: t('staffDevices.updateFailed')
  })
  return (
    <FormDialog form={form} title={t('board.labels')} onClose={onClose}>
      <TextField
        label={t('board.labels')}
        hint={t('board.labelsHint')}
        placeholder="lab, hotel"
        autoComplete="off"
        {...read('labels', split)}
      />
    </FormDialog>
  )
}
