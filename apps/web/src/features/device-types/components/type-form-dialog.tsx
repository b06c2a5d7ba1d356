import {
  createDeviceType,
  latinDigits,
  listDeviceTypes,
  updateDeviceType,
  type DeviceTypeRecord
} from '@batti/contracts'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { PictureField } from '#web/ui/fields/picture-field.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useCreate } from '#web/lib/api/use-create.ts'
import { useOpenedFields } from '#web/lib/form/use-opened-fields.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useApi } from '#web/lib/services.ts'

/** Parses whole numbers with commas or spaces between them; the rules refuse anything else. */
const readIndexes = (text: unknown): unknown =>
  typeof text === 'string' ? [...latinDigits(text).matchAll(/[^\s,]+/g)].map(Number) : text

/** Downloads the picture of a type. */
async function pictureOf(type: DeviceTypeRecord | null): Promise<File | null> {
  if (type === null || type.deviceImage === null) return null
  const answer = await fetch(type.deviceImage)
  if (!answer.ok) throw new Error(`The picture of ${type.deviceName} did not load: ${answer.status}`)
  const picture = await answer.blob()
  return new File([picture], type.deviceImage.split('/').at(-1) ?? 'image', { type: picture.type })
}

function useCreateType() {
  const api = useApi()
  return useCreate(
    useChange(createDeviceType, staffViews.deviceTypes),
    async (query) => (await api.call(listDeviceTypes, { query })).deviceTypes,
    ({ deviceCode, hwModel }, { body }) => deviceCode === body.deviceCode && hwModel === body.hwModel
  )
}

/** Creates a board type, edits one, or saves a copy of one. */
export function TypeFormDialog({ type, onClose }: { type: DeviceTypeRecord | null; onClose: () => void }) {
  const t = useText()
  const create = useCreateType()
  const update = useChange(updateDeviceType, staffViews.deviceTypes)
  const [file, setFile] = useState<File | null>(null)
  const [uploaded, setUploaded] = useState<number | null>(null)
  const upload = { file, ...(file !== null && { onUploadProgress: setUploaded }) }
  const { opened, sendChanges } = useOpenedFields({
    deviceCode: type?.deviceCode ?? '',
    deviceName: type?.deviceName ?? '',
    hwModel: type?.hwModel ?? '',
    description: type?.description ?? '',
    numberOfSwitches: type?.numberOfSwitches ?? 0,
    numberOfFans: type?.numberOfFans ?? 0,
    numberOfSockets: type?.numberOfSockets ?? 0,
    fanIndexes: type?.fanIndexes ?? [],
    socketIndexes: type?.socketIndexes ?? [],
    dimmerIndexes: type?.dimmerIndexes ?? []
  })
  const { field, read, picked, submitAs, ...form } = useRouteForm({
    rules: bodyRules(createDeviceType),
    initial: opened,
    file: 'deviceImage',
    save: (body) =>
      type === null
        ? create({ body, ...upload })
        : sendChanges(body, (changes) => update({ params: { id: type._id }, body: changes, ...upload })),
    onSaved: onClose,
    done: t('types.saved'),
    failed: t('types.saveFailed')
  })
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <FormDialog
      form={{ ...form, isDirty: form.isDirty || file !== null }}
      width="wide"
      title={t(type === null ? 'types.add' : 'types.edit')}
      submitLabel={t(type === null ? 'types.add' : 'common.save')}
      extra={
        type !== null && (
          <Button
            variant="quiet"
            // A copy gets the picture that the form shows.
            onClick={() => submitAs(async (body) => create({ body, ...upload, file: file ?? (await pictureOf(type)) }))}
          >
            {t('types.saveAsNew')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('types.code')} {...field('deviceCode')} maxLength={64} autoComplete="off" />
        <TextField label={t('types.name')} {...field('deviceName')} maxLength={100} autoComplete="off" />
        <TextField label={t('types.model')} {...field('hwModel')} maxLength={64} autoComplete="off" />
        <TextField label={t('types.description')} {...field('description')} maxLength={1000} autoComplete="off" />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label={t('types.switches')}
          hint={t('types.switchesHint')}
          {...field('numberOfSwitches')}
          {...number}
        />
        <TextField label={t('types.fans')} {...field('numberOfFans')} {...number} />
        <TextField label={t('types.sockets')} {...field('numberOfSockets')} {...number} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('types.fanIndexes')}
          hint={t('types.indexHint')}
          placeholder="2, 3"
          {...read('fanIndexes', readIndexes)}
        />
        <TextField
          label={t('types.socketIndexes')}
          hint={t('types.indexHint')}
          placeholder="0, 1"
          {...read('socketIndexes', readIndexes)}
        />
        <TextField
          label={t('types.dimmerIndexes')}
          hint={t('types.indexHint')}
          placeholder="0, 1"
          {...read('dimmerIndexes', readIndexes)}
        />
      </div>
      <PictureField {...picked(setFile)} label={t('types.image')} file={file} currentUrl={type?.deviceImage ?? null} />
      {form.isSaving && uploaded !== null && <Progress value={uploaded} label={t('types.uploading')} />}
    </FormDialog>
  )
}
