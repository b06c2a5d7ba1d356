import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { DialogSheet } from './dialog-sheet.tsx'
import { SheetClose } from './sheet-close.tsx'

async function open(isDirty: boolean, isSaving = false) {
  const onClose = vi.fn<() => void>()
  const app = await createTestApp()
  app.show(
    <DialogSheet
      isOpen
      isDirty={isDirty}
      isSaving={isSaving}
      onClose={onClose}
      title="Edit room"
      footer={<SheetClose />}
    >
      <input aria-label="Room" />
    </DialogSheet>
  )
  return onClose
}

test('focuses the first field, not the close button', async () => {
  await open(false)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Room')))
})

test('adds no landmarks to those of the page', async () => {
  await open(false)
  expect(screen.queryByRole('banner')).toBeNull()
  expect(screen.queryByRole('contentinfo')).toBeNull()
})

test('closes at once when nothing was typed', async () => {
  const onClose = await open(false)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test.each([
  ['the close button', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ["the footer's button", () => fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ['Escape', () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })]
])('asks before typed text is lost to %s', async (_, close) => {
  const onClose = await open(true)
  close()
  await screen.findByRole('alertdialog', { name: 'Discard what you typed?' })
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(onClose).not.toHaveBeenCalled()
})

test.each([
  ['has not been saved', false, 'Discard what you typed?It has not been saved.Keep editingDiscard'],
  [
    'is being saved, so that it cannot be discarded',
    true,
    'It is being saved: closing does not stop that.Keep editingClose'
  ]
])('the question says that the text %s', async (_, isSaving, words) => {
  const onClose = await open(true, isSaving)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toBe(words)
  fireEvent.click(within(question).getByText(isSaving ? 'Close' : 'Discard'))
  expect(onClose).toHaveBeenCalledOnce()
})

test('asks no longer once the text is saved', async () => {
  function Form() {
    const [isSaving, setSaving] = useState(true)
    return (
      <DialogSheet isOpen isDirty={isSaving} isSaving={isSaving} onClose={() => {}} title="Board">
        <input aria-label="Name" onChange={() => setSaving(false)} />
      </DialogSheet>
    )
  }
  const app = await createTestApp()
  app.show(<Form />)
  const field = screen.getByLabelText('Name')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await screen.findByRole('alertdialog')
  fireEvent.change(field, { target: { value: 'saved' } })
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})
