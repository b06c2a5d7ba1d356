import type { SwitchRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { stateWord } from '#web/features/staff-switches/state-word.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

export function SwitchViewDialog({ record, onClose }: { record: SwitchRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  return (
    <DialogSheet isOpen onClose={onClose} title={record.switchName} description={record.deviceName}>
      <DetailFacts
        className="py-2"
        facts={[
          { label: t('table.id'), value: record._id, isCode: true },
          { label: t('staffSwitches.device'), value: record.deviceName },
          { label: t('staffSwitches.mac'), value: record.deviceMac, isCode: true },
          { label: t('staffSwitches.room'), value: record.roomId?.roomName ?? t('switch.unknownRoom') },
          { label: t('staffSwitches.index'), value: intl.formatNumber(record.switchIndex) },
          { label: t('staffSwitches.type'), value: t(`switch.type.${record.type}`) },
          { label: t('staffSwitches.status'), value: t(stateWord(record)) },
          { label: t('staffSwitches.favorite'), value: t(record.isFavorite ? 'table.yes' : 'table.no') },
          { label: t('table.created'), value: <TimeAgo at={record.createdAt} /> }
        ]}
      />
    </DialogSheet>
  )
}
