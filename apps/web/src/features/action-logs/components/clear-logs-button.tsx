import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useClearLogs } from '#web/features/action-logs/api/delete-logs.ts'

/** Clear Logs, after the specified question. */
export function ClearLogsButton() {
  const t = useText()
  const clearing = useClearLogs()
  const [isAsking, setAsking] = useState(false)
  async function clear() {
    try {
      await clearing.mutateAsync()
      notify.success(t('logs.cleared'))
    } catch (error) {
      const message = errorMessage(error, t('logs.clearFailed'))
      if (message !== null) notify.error(message)
    }
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
        tone="danger"
        title={t('logs.clear')}
        body={t('logs.clearSure')}
        confirmLabel={t('logs.clear')}
        isBusy={clearing.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={() => void clear()}
      />
    </>
  )
}
