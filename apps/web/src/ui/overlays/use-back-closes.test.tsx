import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { DialogSheet } from './dialog-sheet.tsx'

function Page() {
  const { pathname, search } = useLocation()
  const [opened, setOpened] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const close = (name: string) => () => setOpened((now) => now.filter((other) => other !== name))
  return (
    <>
      <output data-testid="where">{pathname + search}</output>
      <Link to="/rooms">Rooms</Link>
      <button type="button" onClick={() => setOpened(['Room'])}>
        Open
      </button>
      <DialogSheet isOpen={opened.includes('Room')} isDirty={typed !== ''} onClose={close('Room')} title="Room">
        <input aria-label="Name" value={typed} onChange={({ target }) => setTyped(target.value)} />
        <button type="button" onClick={() => setOpened(['Room', 'Schedule'])}>
          Add
        </button>
        <Link to="?page=2">Further</Link>
        <Link to="/away" onClick={close('Room')}>
          Away
        </Link>
      </DialogSheet>
      <DialogSheet isOpen={opened.includes('Schedule')} onClose={close('Schedule')} title="Schedule">
        At six
      </DialogSheet>
    </>
  )
}

/** A document's first entry is /home. */
async function show() {
  window.history.pushState(null, '', '/home')
  const app = await createTestApp()
  app.showInBrowser(<Page />)
}
const press = (role: 'button' | 'link', name: string) => fireEvent.click(screen.getByRole(role, { name }))
const where = () => screen.getByTestId('where').textContent
const goneTo = (path: string) => waitFor(() => expect(where()).toBe(path))
const closed = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull())
const back = () => window.history.back()
const field = () => screen.findByLabelText<HTMLInputElement>('Name')

test('Back closes what is on top, one after the other, and the page stays; then it leaves the page', async () => {
  await show()
  press('link', 'Rooms')
  press('button', 'Open')
  await field()
  press('button', 'Add')
  await screen.findByRole('dialog', { name: 'Schedule' })
  back()
  await closed('Schedule')
  await screen.findByRole('dialog', { name: 'Room' })
  back()
  await closed('Room')
  expect([where(), window.location.pathname]).toEqual(['/rooms', '/rooms'])
  back()
  await goneTo('/home')
})

test('Back asks before typed text is lost, and a second time it answers "Keep editing"', async () => {
  await show()
  press('link', 'Rooms')
  press('button', 'Open')
  fireEvent.change(await field(), { target: { value: 'Attic' } })
  back()
  await screen.findByRole('alertdialog', { name: 'Discard what you typed?' })
  back()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect((await field()).value).toBe('Attic')
  expect(where()).toBe('/rooms')
})

test('the first page of a visit stays too', async () => {
  await show()
  press('button', 'Open')
  await field()
  back()
  await closed('Room')
  expect(window.location.pathname).toBe('/home')
})

test('an open dialog may navigate to other pages, and stay open or not', async () => {
  await show()
  press('link', 'Rooms')
  press('button', 'Open')
  await field()
  press('link', 'Further')
  await goneTo('/rooms?page=2')
  back()
  await closed('Room')
  expect(where()).toBe('/rooms?page=2')
  press('button', 'Open')
  await field()
  press('link', 'Away')
  await goneTo('/away')
  await closed('Room')
  back()
  await goneTo('/rooms?page=2')
})

test('a reload asks while there is typed text, and not once it is closed', async () => {
  await show()
  press('button', 'Open')
  fireEvent.change(await field(), { target: { value: 'Attic' } })
  const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(leaves()).toBe(false)
  press('button', 'Close')
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  await closed('Room')
  expect(leaves()).toBe(true)
})
