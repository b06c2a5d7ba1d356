import { compareVersions, listRollouts, rollForward, type RolloutRecord } from '@batti/contracts'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useCreate } from '#web/lib/api/use-create.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useApi, useUser } from '#web/lib/services.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useReleasedFiles } from '../use-rollouts.ts'

export interface ForwardDialogProps {
  rollout: RolloutRecord
  onMade: (rollout: RolloutRecord) => void
  onClose: () => void
}

/** Rolls forward from a bad version: an older image, signed again under a higher number, goes to all updated boards. */
export function ForwardDialog({ rollout, onMade, onClose }: ForwardDialogProps) {
  const t = useText()
  const files = useReleasedFiles()
  const higher = files.data?.filter(
    ({ version }) => rollout.version === null || compareVersions(version, rollout.version) > 0
  )
  const [chosen, setChosen] = useState('')
  // The box of a file that is not offered, as it was withdrawn meanwhile, is empty: its name is not sent.
  const fileName = higher?.some(({ filename }) => filename === chosen) ? chosen : ''
  const api = useApi()
  const me = useUser()
  const forward = useCreate(
    // The files too: another admin may have withdrawn the chosen one.
    useChange(rollForward, [...staffViews.rollouts, queryKeys.firmwareFiles]),
    async (query) => (await api.call(listRollouts, { query })).rollouts,
    (made, { body }) => made.fileName === body.fileName && made.createdBy === me?._id
  )
  const making = useSave(() => forward({ params: { id: rollout._id }, body: { fileName } }), {
    after: onMade,
    done: t('rollouts.started'),
    failed: t('rollouts.changeFailed')
  })
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={t('rollouts.forward')}
      description={t('rollouts.forwardHint')}
      footer={
        <>
          <SheetClose />
          <Button disabled={fileName === ''} isBusy={making.isSaving} onClick={() => void making.save()}>
            {t('rollouts.forward')}
          </Button>
        </>
      }
    >
      <div inert={making.isSaving} className="py-2">
        <Select
          label={t('rollouts.file')}
          value={fileName}
          placeholder={t(files.isPending ? 'common.loading' : 'fleet.choose')}
          hint={higher?.length === 0 ? t('rollouts.noHigher') : undefined}
          error={files.isError ? t('files.failed') : undefined}
          choices={(higher ?? []).map(({ filename }) => ({ value: filename, label: filename }))}
          onChange={setChosen}
        />
      </div>
    </DialogSheet>
  )
}
