import { useDevice } from '#web/features/devices/api/get-device.ts'
import { RemovableChip } from '#web/ui/removable-chip.tsx'
import { deviceTitle } from '#web/lib/device-title.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'
import { maySeeFleet } from '#web/lib/session/session-user.ts'

export interface BoardChipProps {
  list: { filters: Readonly<Record<string, string>>; setFilter: (name: string, value: string) => void }
}

/** That a list shows one board's records alone, and which, where this person may know. */
export function BoardChip({ list }: BoardChipProps) {
  const t = useText()
  const user = useUser()
  const id = list.filters['deviceId'] ?? ''
  if (id === '') return null
  const onRemove = () => list.setFilter('deviceId', '')
  if (user === null || !maySeeFleet(user)) return <RemovableChip label={t('table.ofOneBoard')} onRemove={onRemove} />
  return <NamedChip id={id} onRemove={onRemove} />
}

function NamedChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const t = useText()
  const { data } = useDevice(id)
  return (
    <RemovableChip
      label={data === undefined ? t('table.ofOneBoard') : t('table.ofPerson', { name: deviceTitle(data) })}
      onRemove={onRemove}
    />
  )
}
