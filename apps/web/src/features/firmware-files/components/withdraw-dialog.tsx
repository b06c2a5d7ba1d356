import { updateFirmwareFile, type FirmwareFileRecord } from '@batti/contracts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { useSave } from '#web/lib/use-save.ts'

export interface WithdrawDialogProps {
  file: FirmwareFileRecord
  /** How many boards run its version. */
  boards: number
  onClose: () => void
}

/** Asks before a released image is withdrawn. */
export function WithdrawDialog({ file, boards, onClose }: WithdrawDialogProps) {
  const t = useText()
  const { filename } = file
  const update = useChange(updateFirmwareFile, staffViews.firmwareFiles)
  const isShown = useIsShown()
  const withdrawing = useSave(() => update({ params: { filename }, body: { state: 'withdrawn' } }), {
    done: t('files.withdrawn', { name: filename }),
    failed: t('files.stateFailed')
  })
  async function confirm() {
    await withdrawing.save()
    if (isShown.current) onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      title={t('files.withdrawTitle', { name: filename })}
      body={t('files.withdrawBody', { count: boards })}
      confirmLabel={t('files.withdraw')}
      isBusy={withdrawing.isSaving}
      onCancel={onClose}
      onConfirm={() => void confirm()}
    />
  )
}
