import type { ActionLogRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { exactTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLogSentence } from '#web/lib/records/use-log-sentence.ts'

/** One row of the log, with details that the table has no room for. */
export function LogViewDialog({ log, onClose }: { log: ActionLogRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  const sentenceOf = useLogSentence()
  return (
    <DialogSheet isOpen onClose={onClose} title={sentenceOf(log)}>
      <DetailFacts
        className="py-2"
        facts={[
          { label: t('staffLogs.user'), value: log.userName },
          { label: t('staffLogs.phone'), value: log.userPhone },
          { label: t('staffLogs.source'), value: t(`logs.from.${log.from}`) },
          { label: t('staffLogs.date'), value: exactTime(intl, Date.parse(log.createdAt)) },
          { label: t('staffLogs.mac'), value: log.deviceMac, isCode: true },
          { label: t('staffLogs.switch'), value: log.switchName },
          { label: t('staffLogs.index'), value: log.switchIndex === null ? null : intl.formatNumber(log.switchIndex) },
          { label: t('staffLogs.command'), value: log.commandId, isCode: true }
        ]}
      />
    </DialogSheet>
  )
}
