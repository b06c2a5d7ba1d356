import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ConfirmChange } from '#web/ui/overlays/confirm-change.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useClearLogs } from '#web/features/action-logs/api/delete-logs.ts'

/** The Clear Logs button, with the specified question. */
export function ClearLogsButton() {
  const t = useText()
  const clearing = useClearLogs()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" size={18} />
        {t('logs.clear')}
      </Button>
      {isAsking && (
        <ConfirmChange
          title={t('logs.clear')}
          body={t('logs.clearSure')}
          confirmLabel={t('logs.clear')}
          change={() => clearing.mutateAsync()}
          done={t('logs.cleared')}
          failed={t('logs.clearFailed')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
