import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'

/** Asks for a new name; a blank one is refused with the specified text. */
export function RenameForm({
  name,
  isBusy,
  onType,
  onRename
}: {
  name: string
  isBusy: boolean
  /** Called on each change: whether the name differs, and would be lost. */
  onType: (isChanged: boolean) => void
  onRename: (name: string) => void
}) {
  const t = useText()
  const [value, setValue] = useState(name)
  const [isWrong, setWrong] = useState(false)
  function submit(event: FormEvent) {
    event.preventDefault()
    setWrong(value.trim() === '')
    if (value.trim() === '') return notify.error(t('switch.nameEmpty'), 'rename')
    onRename(value.trim())
  }
  return (
    <Form isSaving={isBusy} onSubmit={submit} className="flex flex-wrap items-end gap-2 px-3 pb-2">
      <TextField
        label={t('switch.rename')}
        isWrong={isWrong}
        value={value}
        maxLength={100}
        onChange={(event) => {
          setValue(event.target.value)
          setWrong(false)
          onType(event.target.value.trim() !== name)
        }}
        className="min-w-24 flex-1"
      />
      <Button type="submit" variant="quiet" isBusy={isBusy} className="min-h-12">
        {t('switch.renameSave')}
      </Button>
    </Form>
  )
}
