import { getUser } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { RemovableChip } from '#web/ui/removable-chip.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useApi, useUser } from '#web/lib/services.ts'

interface Filtered {
  filters: Readonly<Record<string, string>>
  setFilter: (name: string, value: string) => void
}

/** That a list shows one person's records alone, and whose. */
export function OwnerChip({ list, filter = 'userId' }: { list: Filtered; filter?: string }) {
  const t = useText()
  const api = useApi()
  const user = useUser()
  const id = list.filters[filter] ?? ''
  const mayAsk = user?.role === 'admin' || user?.permissions.includes('view users') === true
  const { data } = useQuery({
    queryKey: ['users', 'by-id', id],
    queryFn: ({ signal }) => api.call(getUser, { params: { id }, signal }),
    enabled: mayAsk && id !== '',
    retry: false
  })
  if (id === '') return null
  return (
    <RemovableChip
      label={t('table.ofPerson', { name: data?.name ?? id })}
      onRemove={() => list.setFilter(filter, '')}
    />
  )
}
