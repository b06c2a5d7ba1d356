import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { networkError } from '@batti/client/transport'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { FindLauncher } from './find-launcher.tsx'

const found = {
  boards: [
    {
      _id: 'b'.repeat(24),
      deviceMac: '34:98:7A:11:02:9B',
      deviceName: 'Wall 4',
      setName: 'Tea shop counter',
      isOnline: true,
      owner: null
    }
  ],
  users: [{ _id: 'c'.repeat(24), name: 'Tea Ram Dahal', email: 't@example.com', phone: null, role: 'user' }],
  pages: []
}
function Where() {
  const { pathname, search } = useLocation()
  return <output data-testid="where">{pathname + search}</output>
}
async function show(role: 'admin' | 'monitor' = 'admin', server: TestServer = () => ({ data: found })) {
  const app = await createTestApp({ server })
  app.show(
    <>
      <FindLauncher user={{ ...sita, role }} />
      <input aria-label="Some field" />
      <Where />
    </>
  )
  return { ...app, where: () => screen.getByTestId('where').textContent }
}
const press = (target: Element | Window, key: string, more: object = {}) => fireEvent.keyDown(target, { key, ...more })
async function open() {
  press(window, 'k', { ctrlKey: true })
  return screen.findByRole('combobox', { name: 'Find a board, person, page' })
}

test('Ctrl K and / open it, but / in a field is text', async () => {
  await show()
  expect(press(screen.getByLabelText('Some field'), '/')).toBe(true)
  expect(press(document.body, '/')).toBe(false)
  await screen.findByRole('dialog', { name: 'Find' })
  press(window, 'k', { metaKey: true })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // The dialog is loaded by now, and would be drawn at once.
  press(screen.getByLabelText('Some field'), '/')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('keys typed before the field is loaded appear in it, wherever they were typed', async () => {
  await show()
  for (const time of ['first', 'second']) {
    const field = screen.getByLabelText('Some field')
    press(field, 'k', { ctrlKey: true })
    for (const key of ['t', 'x', 'Backspace', 'e', 'Shift', 'a']) press(field, key)
    const box = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Find a board, person, page' })
    await waitFor(() => expect(box.value, time).toBe('tea'))
    expect(press(box, 's')).toBe(true)
    press(window, 'k', { ctrlKey: true })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  expect(press(screen.getByLabelText('Some field'), 's')).toBe(true)
})

test('typed text is searched on the server; the first hit is selected, and Enter opens it', async () => {
  const { clock, requests, where } = await show()
  const field = await open()
  fireEvent.change(field, { target: { value: '7a-1102' } })
  clock.advance(200)
  const list = await screen.findByRole('listbox')
  const [first] = await within(list).findAllByRole('option', { name: /Tea shop counter/ })
  expect(requests.map(({ url }) => url)).toEqual(['/api/v1/search?q=7a-1102'])
  await waitFor(() => expect(field.getAttribute('aria-activedescendant')).toBe(first?.id))
  expect(within(list).getByRole('group', { name: 'People' })).toBeTruthy()
  expect(within(list).getByRole('group', { name: 'For “Tea shop counter”' })).toBeTruthy()
  press(field, 'ArrowDown')
  press(field, 'Enter')
  await waitFor(() => expect(where()).toBe(`/admin/users/${found.users[0]?._id}`))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Enter before the answer opens the first hit of that answer, not one of the text before', async () => {
  const dil = { ...found.users[0], _id: 'd'.repeat(24), name: 'Dil Maya Rai' }
  const { clock, where } = await show('admin', ({ url }) => ({
    data: url.endsWith('q=dil') ? { boards: [], users: [dil], pages: [] } : found
  }))
  const field = await open()
  fireEvent.change(field, { target: { value: 'tea' } })
  clock.advance(200)
  await screen.findByRole('option', { name: /Tea Ram/ })
  await waitFor(() => expect(field.getAttribute('aria-activedescendant')).not.toBeNull())
  fireEvent.change(field, { target: { value: 'dil' } })
  press(field, 'Enter')
  expect(screen.getByRole('dialog')).toBeTruthy()
  clock.advance(200)
  await waitFor(() => expect(where()).toBe(`/admin/users/${dil._id}`))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Ctrl Enter opens the hit in a new tab and leaves the search open', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  const { clock } = await show()
  const field = await open()
  fireEvent.change(field, { target: { value: 'tea' } })
  clock.advance(200)
  await screen.findByRole('option', { name: /Tea Ram/ })
  await waitFor(() => expect(field.getAttribute('aria-activedescendant')).not.toBeNull())
  press(field, 'ArrowDown')
  press(field, 'Enter', { ctrlKey: true })
  expect(opened).toHaveBeenCalledWith(`/admin/users/${found.users[0]?._id}`, '_blank', 'noopener')
  expect(screen.getByRole('dialog')).toBeTruthy()
  opened.mockRestore()
})

test("before anything is typed, the user's own pages are listed", async () => {
  const { requests } = await show('monitor')
  await open()
  const options = await screen.findAllByRole('option')
  expect(options.map((option) => option.textContent)).toEqual(['Dashboard', 'Home', 'Profile / Settings'])
  expect(requests).toEqual([])
})

test('a search that failed is reported, with a way to retry', async () => {
  const { clock } = await show('admin', () => Promise.reject(networkError(null)))
  fireEvent.change(await open(), { target: { value: 'tea shop' } })
  clock.advance(200)
  await screen.findByText('The search failed. Type on to try again.')
})
