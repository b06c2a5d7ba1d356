import { listUsers } from '@batti/contracts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ListPage } from '#web/ui/list-page.tsx'
import { useList } from '#web/lib/lists/use-list.ts'
import { narrowScreen } from '#web/lib/use-media.ts'
import { pressTwice } from '#web/test/press-twice.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'

const people = ['Sita', 'Anil', 'Maya', 'Hari', 'Gita', 'Ram'].map((name) => ({
  _id: name.padEnd(24, '0'),
  name,
  email: `${name}@example.com`,
  phone: null,
  role: 'user',
  profileImage: null,
  emailVerification: true,
  phoneVerification: false,
  createdAt: '2026-11-01T00:00:00.000Z',
  deviceCount: 0,
  scheduleCount: 0,
  roomCount: 0
}))
const pageSize = 2

function People({ onRun }: { onRun?: (ids: readonly string[]) => void }) {
  const list = useList({ name: 'people', route: listUsers, rows: ({ users }) => users, pageSize, queryKey: ['people'] })
  return (
    <ListPage
      title="Users"
      list={list}
      columns={[{ id: 'name', label: 'users.name', width: 100 }]}
      words={{ showing: 'users.showing', search: 'Find', failed: 'Failed to load users', empty: 'No users found' }}
      nameOf={({ name }) => name}
      bulk={[{ id: 'run', label: 'Run', icon: null, run: ({ ids }) => onRun?.(ids) }]}
    >
      <output data-testid="where">{useLocation().search}</output>
    </ListPage>
  )
}

/** `isHeld`: answers to requests after the first wait until they are let go. */
async function show({ isHeld = false, onRun }: { isHeld?: boolean; onRun?: (ids: readonly string[]) => void } = {}) {
  const waiting: (() => void)[] = []
  const app = await createTestApp({
    areas: ['table', 'users'],
    server: ({ url }) => {
      const { searchParams } = new URL(url, 'http://batti.test')
      const page = Number(searchParams.get('page'))
      const found = people.filter(({ name }) => name.toLowerCase().includes(searchParams.get('search') ?? ''))
      const users = found.slice((page - 1) * pageSize, page * pageSize)
      const answer: Answer = { data: { users, total: found.length, page, limit: pageSize, totalPages: 3 } }
      if (!isHeld || app.requests.length === 1) return answer
      return new Promise((resolve) => waiting.push(() => resolve(answer)))
    }
  })
  app.show(<People {...(onRun && { onRun })} />)
  await screen.findByText('Sita')
  const letGo = async () => {
    await waitFor(() => expect(waiting).not.toEqual([]))
    await act(async () => waiting.splice(0).forEach((answer) => answer()))
  }
  return { ...app, letGo }
}
const where = () => screen.getByTestId('where').textContent
const button = (name: string) => screen.getByRole('button', { name })

test('Next, pressed twice before a slow page is drawn, goes two pages on', async () => {
  await show()
  await pressTwice(button('Next'))
  await waitFor(() => expect(where()).toBe('?page=3'))
})

test('a row of the former page, selected while the next one loads, is not in its selection', async () => {
  const ran: (readonly string[])[] = []
  const { letGo } = await show({ isHeld: true, onRun: (ids) => ran.push(ids) })
  fireEvent.click(button('Next'))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Sita' }))
  await letGo()
  await screen.findByText('Maya')
  expect(screen.queryByText('1 selected')).toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Maya' }))
  fireEvent.click(button('Run'))
  expect(ran).toEqual([['Maya'.padEnd(24, '0')]])
})

test('a longer text can be searched while the search for the shorter one is under way', async () => {
  const { letGo } = await show({ isHeld: true })
  const type = (value: string) =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value } })
  type('i')
  fireEvent.click(button('Search API'))
  type('ita')
  fireEvent.click(button('Search API'))
  await waitFor(() => expect(where()).toBe('?search=ita'))
  await letGo()
  await screen.findByText('Gita')
})

test('the pager names the rows that are there until those of another page have come', async () => {
  const { letGo } = await show({ isHeld: true })
  fireEvent.click(button('Next'))
  screen.getByText('Showing 1 to 2 of 6 users')
  await letGo()
  await screen.findByText('Showing 3 to 4 of 6 users')
})

test('text that fits none of these rows is not called without a match while other rows load', async () => {
  const { letGo } = await show({ isHeld: true })
  fireEvent.click(button('Next'))
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value: 'maya' } })
  expect([screen.queryByText('Sita'), screen.queryByText('No users found')]).toEqual([null, null])
  await letGo()
  await screen.findByText('Maya')
})

test('that a search found nothing is not said of the next one before its answer', async () => {
  const { clock, letGo } = await show({ isHeld: true })
  const search = (value: string) => {
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value } })
    fireEvent.click(button('Search API'))
  }
  const said = () => screen.queryByText('No users found')
  search('nobody')
  expect(said()).toBeNull()
  await letGo()
  await waitFor(said)
  expect(said()).not.toBeNull()
  search('ita')
  expect(said()).toBeNull()
  act(() => clock.advance(150))
  screen.getByText('Loading...')
  await letGo()
  await screen.findByText('Gita')
})

function onPhone() {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === narrowScreen,
    addEventListener: () => undefined,
    removeEventListener: () => undefined
  }))
  onTestFinished(() => void vi.unstubAllGlobals())
}

test('cards are pale while those of another page load', async () => {
  onPhone()
  const { letGo } = await show({ isHeld: true })
  const cards = () => screen.getByRole('list', { name: 'Users' })
  fireEvent.click(button('Next'))
  expect(cards().className).toContain('opacity-60')
  await letGo()
  await screen.findByText('Maya')
  expect(cards().className).not.toContain('opacity-60')
})

test('from Next below the cards the focus goes to the first of the next page, and from elsewhere it does not', async () => {
  onPhone()
  // The tests' browser has no layout: the first card is above the window.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -1400, 390, 1500))
  onTestFinished(() => void vi.restoreAllMocks())
  const { letGo } = await show({ isHeld: true })
  const goOn = async (isFocused: boolean, first: string) => {
    fireEvent.click(button('Next'))
    const focused = isFocused ? button('Next') : screen.getByRole('searchbox', { name: 'Find' })
    focused.focus()
    await letGo()
    await screen.findByText(first)
    return focused
  }
  await goOn(true, 'Maya')
  expect(document.activeElement).toBe(screen.getByText('Maya').closest('li'))
  screen.getByText('Showing 3 to 4 of 6 users')
  const elsewhere = await goOn(false, 'Gita')
  expect(document.activeElement).toBe(elsewhere)
})
