import { updateFirmwareFile, type FirmwareFileRecord } from '@batti/contracts'
import { ConfirmChange } from '#web/ui/overlays/confirm-change.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'

export interface WithdrawDialogProps {
  file: FirmwareFileRecord
  /** How many boards run its version. */
  boards: number
  onClose: () => void
}

/** Asks before a released image is withdrawn. */
export function WithdrawDialog({ file, boards, onClose }: WithdrawDialogProps) {
  const t = useText()
  const { filename, state } = file
  const update = useChange(updateFirmwareFile, staffViews.firmwareFiles)
  return (
    <ConfirmChange
      title={t('files.withdrawTitle', { name: filename })}
      body={t('files.withdrawBody', { count: boards })}
      confirmLabel={t('files.withdraw')}
      change={() => update({ params: { filename }, body: { state: 'withdrawn', seen: { state } } })}
      done={t('files.withdrawn', { name: filename })}
      failed={t('files.stateFailed')}
      onClose={onClose}
    />
  )
}
