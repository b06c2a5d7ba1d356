import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { holdFocus } from './hold-focus.ts'

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <main>
      <p aria-live="polite" />
      <button type="button" onClick={() => setOpen(true)}>
        Edit
      </button>
      <DialogSheet isOpen={isOpen} onClose={() => setOpen(false)} title="Edit room" footer={<SheetClose />}>
        <input aria-label="Room" />
      </DialogSheet>
    </main>
  )
}

test('a key that leaves an open dialog comes back to it; a closed one holds nothing', async () => {
  const app = await createTestApp()
  app.show(<Page />)
  const undo = holdFocus(document, screen.getByRole('main'))
  const button = screen.getByRole('button', { name: 'Edit' })
  button.focus()
  button.click()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Room')))
  button.focus()
  expect(document.activeElement).toBe(screen.getByRole('dialog'))
  screen.getByRole('button', { name: 'Cancel' }).click()
  await waitFor(() => expect(document.activeElement).toBe(button))
  expect(screen.queryByRole('dialog')).toBeNull()
  undo()
})

test('what takes the focus while a dialog opens, as a menu that closes without motion, leaves it to the first field', async () => {
  const app = await createTestApp()
  app.show(<Page />)
  const undo = holdFocus(document, screen.getByRole('main'))
  const button = screen.getByRole('button', { name: 'Edit' })
  act(() => button.click())
  // The library has chosen the field, and focuses it with the next frame.
  await Promise.resolve()
  button.focus()
  expect(document.activeElement).not.toBe(button)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Room')))
  undo()
})
