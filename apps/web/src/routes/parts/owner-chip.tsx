import { RemovableChip } from '#web/ui/removable-chip.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { usePersonName } from '#web/lib/use-person.ts'

interface Filtered {
  filters: Readonly<Record<string, string>>
  setFilter: (name: string, value: string) => void
}

/** That a list shows one person's records alone, and whose, where this person may know. */
export function OwnerChip({ list, filter = 'userId' }: { list: Filtered; filter?: string }) {
  const t = useText()
  const id = list.filters[filter] ?? ''
  const name = usePersonName(id === '' ? null : id)
  if (id === '') return null
  return (
    <RemovableChip
      label={name === null ? t('table.ofOnePerson') : t('table.ofPerson', { name })}
      onRemove={() => list.setFilter(filter, '')}
    />
  )
}
