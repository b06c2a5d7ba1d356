import { useDevice } from '#web/features/devices/api/get-device.ts'
import { RemovableChip } from '#web/ui/removable-chip.tsx'
import { deviceTitle } from '#web/lib/device-title.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

export interface BoardChipProps {
  list: { filters: Readonly<Record<string, string>>; setFilter: (name: string, value: string) => void }
}

/** That a list shows one board's records alone, and which. */
export function BoardChip({ list }: BoardChipProps) {
  const id = list.filters['deviceId'] ?? ''
  return id === '' ? null : <Chip id={id} onRemove={() => list.setFilter('deviceId', '')} />
}

function Chip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const t = useText()
  const { data } = useDevice(id)
  return (
    <RemovableChip
      label={t('table.ofPerson', { name: data === undefined ? id : deviceTitle(data) })}
      onRemove={onRemove}
    />
  )
}
