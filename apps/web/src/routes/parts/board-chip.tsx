import { useDevice } from '#web/features/devices/api/get-device.ts'
import { RemovableChip } from '#web/ui/removable-chip.tsx'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { filterProps, type FilteredList } from '#web/lib/lists/filter-props.ts'
import { useUser } from '#web/lib/services.ts'
import { maySeeFleet } from '#web/lib/session/session-user.ts'

/** Shows that a list is limited to one board, and to which, if this person may know. */
export function BoardChip({ list }: { list: FilteredList }) {
  const t = useText()
  const user = useUser()
  const { value: id, onChange } = filterProps(list, 'deviceId')
  if (id === '') return null
  const onRemove = () => onChange('')
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
