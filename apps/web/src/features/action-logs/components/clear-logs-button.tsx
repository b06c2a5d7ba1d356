import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useClearLogs } from '#web/features/action-logs/api/delete-logs.ts'

/** The Clear Logs button, with the specified question. */
export function ClearLogsButton() {
  const t = useText()
  const clearing = useSave(useClearLogs().mutateAsync, { done: t('logs.cleared'), failed: t('logs.clearFailed') })
  const [isAsking, setAsking] = useState(false)
  async function clear() {
    await clearing.save()
    setAsking(false)
  }
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" size={18} />
        {t('logs.clear')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('logs.clear')}
        body={t('logs.clearSure')}
        confirmLabel={t('logs.clear')}
        isBusy={clearing.isSaving}
        onCancel={() => setAsking(false)}
        onConfirm={() => void clear()}
      />
    </>
  )
}
