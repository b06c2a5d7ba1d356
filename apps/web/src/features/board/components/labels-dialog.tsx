import { getDevice, updateDevice, type DeviceRecord } from '@batti/contracts'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { beforeChange, mergedList } from '#web/lib/form/changed-of.ts'
import { useOpenedFields } from '#web/lib/form/use-opened-fields.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useApi } from '#web/lib/services.ts'

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
  const api = useApi()
  const update = useChange(updateDevice, staffViews.devices)
  const { opened, tried, sendChanges } = useOpenedFields({ labels: device.labels ?? [] })
  const params = { id: device._id }
  /** The call replaces the list: labels that were not added or removed here stay as they are on the server. */
  async function replace(chosen: { labels: string[] }) {
    const now = await beforeChange(api.call(getDevice, { params }))
    const labels = tried.has('labels') ? chosen.labels : mergedList(opened.labels, chosen.labels, now.labels ?? [])
    return sendChanges(chosen, () => update({ params, body: { labels } }))
  }
  const { read, ...form } = useRouteForm({
    rules: bodyRules(updateDevice).pick({ labels: true }).required(),
    initial: opened,
    save: replace,
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
