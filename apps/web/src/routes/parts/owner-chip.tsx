import { RemovableChip } from '#web/ui/removable-chip.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { filterProps, type FilteredList } from '#web/lib/lists/filter-props.ts'
import { usePersonName } from '#web/lib/records/use-person.ts'

/** Shows that a list is limited to one person, and to whom, if this person may know. */
export function OwnerChip({ list, filter = 'userId' }: { list: FilteredList; filter?: string }) {
  const t = useText()
  const { value: id, onChange } = filterProps(list, filter)
  const name = usePersonName(id === '' ? null : id)
  if (id === '') return null
  return (
    <RemovableChip
      label={name === null ? t('table.ofOnePerson') : t('table.ofPerson', { name })}
      onRemove={() => onChange('')}
    />
  )
}
