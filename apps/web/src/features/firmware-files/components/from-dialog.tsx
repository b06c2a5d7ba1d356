import { firmwareVersion, updateFirmwareFile, type FirmwareFileRecord } from '@batti/contracts'
import { z } from 'zod'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useOpenedFields } from '#web/lib/form/use-opened-fields.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'

const rules = z.object({ min: z.union([z.literal(''), firmwareVersion], 'must be a version such as 1.4.2') })

/** Sets the version that boards must install before they get this file. */
export function FromDialog({ file, onClose }: { file: FirmwareFileRecord; onClose: () => void }) {
  const t = useText()
  const update = useChange(updateFirmwareFile, staffViews.firmwareFiles)
  const { opened, sendChanges } = useOpenedFields({ min: file.from?.min ?? '' })
  const { field, ...form } = useRouteForm({
    rules,
    initial: opened,
    save: (body) =>
      sendChanges(body, async (changes: Partial<typeof body>) => {
        const { min } = changes
        // The call refuses an empty body.
        if (min === undefined) return
        await update({ params: { filename: file.filename }, body: { from: min === '' ? null : { min } } })
      }),
    onSaved: onClose,
    done: t('files.fromSaved'),
    failed: t('files.stateFailed')
  })
  return (
    <FormDialog form={form} title={t('files.fromTitle')} description={file.filename} onClose={onClose}>
      <TextField
        label={t('files.version')}
        hint={t('files.fromHint')}
        placeholder="1.4.0"
        maxLength={32}
        autoComplete="off"
        {...field('min')}
      />
    </FormDialog>
  )
}
