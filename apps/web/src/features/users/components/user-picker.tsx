import { listUsers } from '@batti/contracts'
import { RecordPicker, type PickerItem } from '#web/ui/fields/record-picker.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useApi } from '#web/lib/services.ts'
import { useFoundRecords } from '#web/lib/records/use-found-records.ts'

/** The number of accounts loaded before anything is typed. */
const firstFew = 5

export interface UserPickerProps {
  value: PickerItem | null
  onChange: (user: PickerItem | null) => void
  label?: string
  error?: string | undefined
}

/** Picks an account, found by name, e-mail or phone from three letters on. */
export function UserPicker({ value, onChange, label, error }: UserPickerProps) {
  const t = useText()
  const api = useApi()
  const { picker } = useFoundRecords({
    queryKey: ['users'],
    find: async (search, signal) => (await api.call(listUsers, { query: { limit: firstFew, search }, signal })).users,
    toItem: ({ _id, name, email, phone }) => ({ value: _id, label: name, more: phone ?? email }),
    failed: { first: t('users.pickFailed'), search: t('users.searchFailed') },
    initial: value?.label ?? ''
  })
  return (
    <RecordPicker
      label={label ?? t('users.pick')}
      placeholder={t('users.pickHint')}
      value={value}
      onChange={onChange}
      error={error}
      {...picker}
    />
  )
}
