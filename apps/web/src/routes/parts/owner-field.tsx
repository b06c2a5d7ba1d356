import { useState } from 'react'
import { UserPicker } from '#web/features/users/components/user-picker.tsx'
import type { PickerItem } from '#web/ui/fields/record-picker.tsx'

/** The owner of a board, in a form. */
export function OwnerField({
  initial,
  onChange,
  error
}: {
  initial: PickerItem | null
  onChange: (userId: string) => void
  error: string | undefined
}) {
  const [owner, setOwner] = useState(initial)
  return (
    <UserPicker
      value={owner}
      error={error}
      onChange={(item) => {
        setOwner(item)
        onChange(item?.value ?? '')
      }}
    />
  )
}
