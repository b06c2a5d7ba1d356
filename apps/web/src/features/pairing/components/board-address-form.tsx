import { localHttpHost } from '@batti/kit/address'
import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

/**
 * The board's address, as a plain GET form of this page: the browser reloads it with `?board=`, and the server answers
 * with a security policy that lets the setup form post only there. `onLeave` is called before the reload.
 */
export function BoardAddressForm({ board, onLeave }: { board: string; onLeave: () => void }) {
  const t = useText()
  const [value, setValue] = useState(board)
  const [fault, setFault] = useState<string>()
  function submit(event: FormEvent<HTMLFormElement>) {
    const address = localHttpHost(value)
    if (address === null) {
      event.preventDefault()
      return setFault(t('pairing.boardAddressWrong'))
    }
    // Submits the parsed address, without a scheme.
    const field = event.currentTarget.elements.namedItem('board')
    if (field instanceof HTMLInputElement) field.value = address
    onLeave()
  }
  return (
    <Form isSaving={false} method="get" action="/user/devices/new" onSubmit={submit} className="flex items-start gap-2">
      <TextField
        label={t('pairing.boardAddress')}
        name="board"
        value={value}
        error={fault}
        hint={t('pairing.boardAddressHint')}
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        onChange={(event) => {
          setValue(event.target.value)
          setFault(undefined)
        }}
        className="min-w-0 flex-1"
      />
      <Button type="submit" variant="quiet" className="mt-[1.71rem] min-h-12">
        {t('pairing.boardAddressUse')}
      </Button>
    </Form>
  )
}
