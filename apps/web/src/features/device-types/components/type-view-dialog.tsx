import type { DeviceTypeRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

export function TypeViewDialog({ type, onClose }: { type: DeviceTypeRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  return (
    <DialogSheet isOpen onClose={onClose} title={type.deviceName} description={type.description}>
      <div className="grid gap-4 py-2">
        {type.deviceImage !== null && (
          <img
            src={`${type.deviceImage}?width=300&quality=60`}
            alt={type.deviceName}
            className="max-h-48 rounded-card bg-well object-contain"
          />
        )}
        <DetailFacts
          facts={[
            { label: t('types.code'), value: type.deviceCode, isCode: true },
            { label: t('types.model'), value: type.hwModel, isCode: true },
            { label: t('types.switches'), value: intl.formatNumber(type.numberOfSwitches) },
            { label: t('types.fans'), value: intl.formatNumber(type.numberOfFans) },
            { label: t('types.fanIndexes'), value: type.fanIndexes.join(', ') },
            { label: t('types.sockets'), value: intl.formatNumber(type.numberOfSockets) },
            { label: t('types.socketIndexes'), value: type.socketIndexes.join(', ') },
            { label: t('types.dimmerIndexes'), value: (type.dimmerIndexes ?? []).join(', ') },
            { label: t('table.created'), value: <TimeAgo at={type.createdAt} /> }
          ]}
        />
      </div>
    </DialogSheet>
  )
}
