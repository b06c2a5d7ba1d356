import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DialogSheet } from './dialog-sheet.tsx'

async function show() {
  let answer = () => {}
  const app = await createTestApp()
  function Page() {
    const [opened, setOpened] = useState<'delete' | 'edit' | null>(null)
    const close = () => setOpened(null)
    return (
      <>
        <button onClick={() => setOpened('delete')}>Delete the old one</button>
        <button onClick={() => setOpened('edit')}>Edit the other one</button>
        {opened === 'delete' && (
          <DeleteDialog
            title="Delete it?"
            done="Deleted"
            failed="Not deleted"
            remove={() => new Promise<void>((resolve) => (answer = resolve))}
            onClose={close}
          />
        )}
        {opened === 'edit' && (
          <DialogSheet isOpen title="The other one" onClose={close}>
            <input aria-label="Name" />
          </DialogSheet>
        )}
      </>
    )
  }
  app.show(<Page />)
  fireEvent.click(screen.getByRole('button', { name: 'Delete the old one' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  return { answer: () => act(async () => answer()) }
}

test('closes once the record is deleted', async () => {
  const { answer } = await show()
  await answer()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

test('a deletion that ends after its question was closed leaves the next dialog open', async () => {
  const { answer } = await show()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(screen.getByRole('button', { name: 'Edit the other one' }))
  const name = await screen.findByLabelText('Name')
  await answer()
  expect(name.isConnected).toBe(true)
})
