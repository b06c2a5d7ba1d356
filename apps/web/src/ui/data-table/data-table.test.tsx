import { listUsers } from '@batti/contracts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ListPage } from '#web/ui/list-page.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { useList } from '#web/lib/lists/use-list.ts'
import { narrowScreen } from '#web/lib/use-media.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { Cell } from './cell.tsx'
import type { Column } from './columns.ts'

interface Person {
  _id: string
  name: string
  phone: string | null
  deviceCount: number
}
const ownColumns: readonly Column<Person>[] = [
  { id: 'name', label: 'users.name', value: ({ name }) => name, width: 100 },
  { id: 'phone', label: 'users.phone', value: ({ phone }) => phone, width: 100 },
  { id: 'deviceCount', label: 'users.devices', value: ({ deviceCount }) => deviceCount, width: 100, isNumber: true }
]
const person = (name: string, deviceCount: number, phone: string | null = null) => ({
  _id: name.padEnd(24, '0'),
  name,
  email: `${name}@example.com`,
  phone,
  role: 'user',
  profileImage: null,
  emailVerification: true,
  phoneVerification: false,
  createdAt: '2026-11-01T00:00:00.000Z',
  deviceCount,
  scheduleCount: 0,
  roomCount: 0
})
const people = [person('Sita', 2, '+9779841234567'), person('Anil', 10), person('Maya', 1)]

type Shown = Person & { createdAt: string }

function People({ pageSize, columns = ownColumns }: { pageSize: number; columns?: readonly Column<Shown>[] }) {
  const list = useList({ name: 'people', route: listUsers, rows: ({ users }) => users, pageSize, queryKey: ['people'] })
  const [opened, setOpened] = useState('')
  const [renamed, setRenamed] = useState('')
  const navigate = useNavigate()
  return (
    <ListPage
      title="Users"
      list={list}
      columns={columns}
      words={{ showing: 'users.showing', search: 'Find', failed: 'Failed to load users', empty: 'No users found' }}
      nameOf={({ name }) => name}
      onOpen={({ name }) => setOpened(name)}
      renderMenu={({ name }) => <MenuItem onSelect={() => setOpened(`menu of ${name}`)}>Edit</MenuItem>}
      bulk={[
        {
          id: 'rename',
          label: 'Rename them',
          icon: null,
          takesAll: true,
          run: ({ ids, isAll, count }) => setRenamed(`${isAll ? 'all' : ids.length} of ${count}`)
        }
      ]}
    >
      <output data-testid="opened">{opened}</output>
      <output data-testid="renamed">{renamed}</output>
      <button onClick={() => void navigate(-1)}>Go back</button>
      <output data-testid="where">{useLocation().search}</output>
    </ListPage>
  )
}

const page =
  (users: readonly unknown[], total = users.length): TestServer =>
  () => ({
    data: { users, total, page: 1, limit: 200, totalPages: 1 }
  })
async function show(server: TestServer = page(people), at = '/', pageSize = 200) {
  const app = await createTestApp({ areas: ['table', 'users'], server })
  app.show(<People pageSize={pageSize} />, at)
  return { ...app, asked: () => app.requests.map(({ url }) => url.replace('/api/v1', '')) }
}
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('rowheader').textContent)
const rowOf = async (name: string) => {
  const cell = await screen.findByText(name)
  const row = cell.closest('tr')
  if (row === null) throw new Error(`${name} is in no row`)
  return row
}
const where = () => screen.getByTestId('where').textContent

test('a column header sorts ascending, descending and not at all, says so, and the address keeps it', async () => {
  await show()
  await rowOf('Sita')
  const head = screen.getByRole('columnheader', { name: 'Devices' })
  const press = () => fireEvent.click(within(head).getByRole('button'))
  press()
  await waitFor(() => expect(names()).toEqual(['Maya', 'Sita', 'Anil']))
  expect(head.getAttribute('aria-sort')).toBe('ascending')
  expect(where()).toBe('?sort=deviceCount')
  press()
  await waitFor(() => expect(names()).toEqual(['Anil', 'Sita', 'Maya']))
  expect(head.getAttribute('aria-sort')).toBe('descending')
  press()
  await waitFor(() => expect(where()).toBe(''))
})

test('typed text filters the loaded rows at once, a phone number with spaces too; Search API asks the server', async () => {
  const { asked } = await show()
  await rowOf('Sita')
  const field = screen.getByRole('searchbox', { name: 'Find' })
  fireEvent.change(field, { target: { value: '98412 345' } })
  expect(names()).toEqual(['Sita'])
  expect(asked()).toHaveLength(1)
  fireEvent.change(field, { target: { value: 'may' } })
  expect(names()).toEqual(['Maya'])
  fireEvent.click(screen.getByRole('button', { name: 'Search API' }))
  await waitFor(() => expect(asked().at(-1)).toContain('search=may'))
  expect(where()).toBe('?search=may')
})

test('typed text filters by what the cells show, in digits of any script, and not by what stands behind it', async () => {
  const shown: readonly Column<Shown>[] = [
    { id: 'name', label: 'users.name', width: 100 },
    { id: 'createdAt', label: 'users.createdAt', isTime: true, width: 100 },
    {
      id: 'deviceCount',
      label: 'users.devices',
      words: ({ deviceCount }) => (deviceCount === 1 ? 'only one' : `−${deviceCount}`),
      width: 100
    }
  ]
  const app = await createTestApp({ areas: ['table', 'users'], server: page(people) })
  app.show(<People pageSize={200} columns={shown} />)
  await rowOf('Sita')
  const found = (value: string): readonly unknown[] => {
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value } })
    return names()
  }
  expect(found('Only')).toEqual(['Maya'])
  expect(found('−१०')).toEqual(['Anil'])
  expect(found('-10')).toEqual(['Anil'])
  expect(found('१ november')).toHaveLength(3)
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value: '000Z' } })
  expect(screen.queryAllByRole('row')).toEqual([])
})

test('a search of the server that finds nothing says what it searches', async () => {
  await show((request) => page(request.url.includes('search=') ? [] : people)(request))
  await rowOf('Sita')
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value: 'online' } })
  await screen.findByText('Nothing here fits the search and the filters.')
  fireEvent.click(screen.getByRole('button', { name: 'Search API' }))
  await screen.findByText(/^The server searches names, numbers and the like/)
})

test('typed text filters by the words of a language that is chosen after a filter in another', async () => {
  const role: Column<Person> = { id: 'role', label: 'users.role', value: (_, t) => t('users.role.user'), width: 100 }
  const app = await createTestApp({ areas: ['table', 'users'], server: page(people) })
  app.show(<People pageSize={200} columns={[...ownColumns, role]} />)
  await rowOf('Sita')
  const type = (value: string) =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value } })
  type('User')
  await waitFor(() => expect(names()).toHaveLength(3))
  await act(() => app.language.choose('ne'))
  type('प्रयोगकर्ता')
  await waitFor(() => expect(names()).toHaveLength(3))
})

test('the filter of the loaded rows is in the address, and is restored on the way back', async () => {
  const { clock, asked } = await show()
  await rowOf('Sita')
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value: 'may' } })
  expect(where()).toBe('')
  act(() => clock.advance(200))
  expect(where()).toBe('?filter=may')
  cleanup()
  await show(page(people), '/?filter=may')
  await rowOf('Maya')
  expect(screen.getByRole('searchbox', { name: 'Find' })).toHaveProperty('value', 'may')
  expect(names()).toEqual(['Maya'])
  expect(asked()).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Search API' }))
  await waitFor(() => expect(where()).toBe('?search=may'))
})

test('Back removes the filter and the search from the field, as from the address', async () => {
  const { clock } = await show()
  await rowOf('Sita')
  const field = () => screen.getByRole('searchbox', { name: 'Find' })
  fireEvent.change(field(), { target: { value: 'may' } })
  fireEvent.click(screen.getByRole('button', { name: 'Search API' }))
  await waitFor(() => expect(where()).toBe('?search=may'))
  fireEvent.click(screen.getByRole('button', { name: 'Go back' }))
  await waitFor(() => expect(where()).toBe(''))
  expect(field()).toHaveProperty('value', '')
  await waitFor(() => expect(names()).toEqual(['Sita', 'Anil', 'Maya']))
  act(() => clock.advance(200))
  expect(where()).toBe('')
})

test('the way back to a list leads to the rows that were in sight, and another page begins at its top', async () => {
  window.history.replaceState(null, '', '/')
  const app = await createTestApp({ areas: ['table', 'users'], server: page(people, 6) })
  const opened = app.showInBrowser(<People pageSize={3} />)
  const box = async () => (await rowOf('Sita')).closest('div') ?? document.body
  const scroller = await box()
  scroller.scrollTop = 600
  fireEvent.scroll(scroller)
  act(() => app.clock.advance(150))
  fireEvent.click(screen.getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(where()).toBe('?page=2'))
  expect((await box()).scrollTop).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: 'Go back' }))
  await waitFor(() => expect(where()).toBe(''))
  expect((await box()).scrollTop).toBe(600)
  opened.unmount()
  app.showInBrowser(<People pageSize={3} />)
  expect((await box()).scrollTop).toBe(600)
})

test('another page of cards begins at the first, and on the way back the browser scrolls', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === narrowScreen,
    addEventListener: () => undefined,
    removeEventListener: () => undefined
  }))
  // The tests' browser has no layout: the first card is above the window.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -1400, 390, 1500))
  const scrolls = vi.spyOn(Element.prototype, 'scrollIntoView')
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  await show(page(people, 6), '/', 3)
  const cards = await screen.findByRole('list', { name: 'Users' })
  expect(scrolls).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByText('Showing 4 to 6 of 6 users')
  expect(scrolls.mock.contexts).toEqual([cards])
  fireEvent.click(screen.getByRole('button', { name: 'Go back' }))
  await screen.findByText('Showing 1 to 3 of 6 users')
  expect(scrolls).toHaveBeenCalledTimes(1)
})

test('a filter and the end of a selection are announced to screen readers, and the heading counts the shown rows', async () => {
  await show()
  const first = await rowOf('Sita')
  const told = () => document.querySelector('[role=status]')?.textContent
  expect(told()).toBe('')
  fireEvent.keyDown(first, { key: ' ' })
  fireEvent.keyDown(first, { key: 'Escape' })
  expect(told()).toBe('0 selected')
  const type = (value: string) =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value } })
  type('may')
  expect(told()).toBe('1 of 3 shown')
  screen.getByText('1 of 3')
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('2')
  type('nobody')
  expect(told()).toContain('No users found')
})

test('what the server found is announced to screen readers once, also after a selection has ended', async () => {
  await show(({ url }) => page(url.includes('search=') ? people.slice(2) : people)({} as never))
  const first = await rowOf('Sita')
  fireEvent.keyDown(first, { key: ' ' })
  fireEvent.keyDown(first, { key: 'Escape' })
  const status = document.querySelector('[role=status]') ?? document.body
  const told: (string | null)[] = []
  new MutationObserver(() => told.push(status.textContent)).observe(status, {
    childList: true,
    subtree: true,
    characterData: true
  })
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value: 'maya@' } })
  fireEvent.click(screen.getByRole('button', { name: 'Search API' }))
  await waitFor(() => expect(told.at(-1)).toBe('Showing 1 to 1 of 1 users'))
  expect(told.filter((text) => text?.includes('Showing'))).toHaveLength(1)
})

test('rows that the server found by a hidden field stay visible', async () => {
  await show(page(people), '/?search=sita%40example.com')
  await rowOf('Sita')
  expect(names()).toEqual(['Sita', 'Anil', 'Maya'])
})

test('nothing found by a filter is not an empty list: it offers to remove the filter', async () => {
  await show(page([]), '/?search=zzz')
  await screen.findByText('No users found')
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
  await waitFor(() => expect(where()).toBe(''))
})

test('keys move between rows, open one, select it, and end the selection', async () => {
  await show()
  const first = await rowOf('Sita')
  first.focus()
  fireEvent.keyDown(first, { key: 'ArrowDown' })
  const second = await rowOf('Anil')
  expect(document.activeElement).toBe(second)
  fireEvent.keyDown(second, { key: 'Enter' })
  expect(screen.getByTestId('opened').textContent).toBe('Anil')
  fireEvent.keyDown(second, { key: ' ' })
  expect(second.getAttribute('aria-selected')).toBe('true')
  screen.getByText('1 selected')
  fireEvent.keyDown(second, { key: 'Escape' })
  expect(screen.queryByText('1 selected')).toBeNull()
  fireEvent.keyDown(second, { key: 'End' })
  expect(document.activeElement).toBe(await rowOf('Maya'))
})

test('Tab moves to one row only, and to the controls in it', async () => {
  await show()
  const first = await rowOf('Sita')
  const second = await rowOf('Anil')
  expect([first.tabIndex, second.tabIndex]).toEqual([0, -1])
  expect(within(second).getByRole('button', { name: 'Actions for Anil' }).tabIndex).toBe(-1)
})

test('all rows of the filter can be selected, not only those of this page', async () => {
  await show(page(people, 812), '/', 3)
  await rowOf('Sita')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }))
  screen.getByText('3 selected')
  fireEvent.click(screen.getByRole('button', { name: 'Select all 812' }))
  fireEvent.click(screen.getByRole('button', { name: 'Rename them' }))
  expect(screen.getByTestId('renamed').textContent).toBe('all of 812')
})

test('all rows of a search are no longer selected when Back shows the rows of another one', async () => {
  const server: TestServer = (request) =>
    request.url.includes('search=') ? page(people.slice(0, 1), 50)(request) : page(people, 812)(request)
  await show(server, '/', 3)
  await rowOf('Maya')
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value: 'sita' } })
  fireEvent.click(screen.getByRole('button', { name: 'Search API' }))
  await waitFor(() => expect(names()).toEqual(['Sita']))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Sita' }))
  fireEvent.click(screen.getByRole('button', { name: 'Select all 50' }))
  screen.getByText('50 selected')
  fireEvent.click(screen.getByRole('button', { name: 'Go back' }))
  await rowOf('Maya')
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
})

test('the focus stays in the bar when all are selected, and returns to its row when the selection ends there', async () => {
  await show(page(people, 812), '/', 3)
  const second = await rowOf('Anil')
  second.focus()
  const endThere = async (key: (within: HTMLElement) => void) => {
    fireEvent.keyDown(second, { key: ' ' })
    const bar = screen.getByRole('region', { name: 'Selection' })
    const all = within(bar).getByRole('button', { name: 'Select all 812' })
    all.focus()
    fireEvent.click(all)
    expect(document.activeElement).toBe(bar)
    key(bar)
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
    expect(document.activeElement).toBe(second)
  }
  await endThere((bar) => fireEvent.keyDown(bar, { key: 'Escape' }))
  await endThere((bar) => {
    const end = within(bar).getByRole('button', { name: 'End the selection' })
    end.focus()
    fireEvent.click(end)
  })
})

test('a filter that finds more than was counted does not show that number as its total', async () => {
  const data = { users: people, total: 10_000, page: 1, limit: 3, totalPages: 3334, isTotalCapped: true }
  await show(() => ({ data }), '/', 3)
  await rowOf('Sita')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }))
  fireEvent.click(screen.getByRole('button', { name: 'Select all that were found' }))
  expect(screen.getByText('more than 10,000 selected')).toBeTruthy()
  expect(screen.getByText('more than 10,000')).toBeTruthy()
})

test('pages: which rows are shown, and the way on; hidden when one page holds all', async () => {
  const { asked } = await show(page(people, 812), '/?page=2', 3)
  await screen.findByText('Showing 4 to 6 of 812 users')
  expect(asked()[0]).toContain('page=2')
  fireEvent.click(screen.getByRole('button', { name: 'Prev' }))
  await waitFor(() => expect(asked().at(-1)).toContain('page=1'))
  expect(where()).toBe('')
})
test('a page past the last leads to the last one, and never says that there is nothing', async () => {
  let total = 5
  const { queryClient, asked } = await show(
    ({ url }) => {
      const asking = Number(new URL(url, 'http://home').searchParams.get('page'))
      const all = Array.from({ length: total }, (_, index) => person(`Person ${index + 1}`, index))
      return { data: { users: all.slice(asking * 2 - 2, asking * 2), total, page: asking, limit: 2, totalPages: 3 } }
    },
    '/?page=999&search=person',
    2
  )
  const wordsSeen: string[] = []
  new MutationObserver(() => wordsSeen.push(document.body.textContent)).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true
  })
  await rowOf('Person 5')
  expect(where()).toBe('?page=3&search=person')
  total = 4
  await queryClient.invalidateQueries()
  await screen.findByText('Showing 3 to 4 of 4 users')
  await rowOf('Person 4')
  expect(asked().map((url) => /page=(\d+)/.exec(url)?.[1])).toEqual(['999', '3', '3', '2'])
  expect(wordsSeen.filter((words) => words.includes('No users found'))).toEqual([])
})
test('a button that has nothing left to do keeps the focus: Next on the last page, a column that is the first', async () => {
  await show(page(people, 6), '/', 3)
  await rowOf('Sita')
  const next = screen.getByRole('button', { name: 'Next' })
  next.focus()
  fireEvent.click(next)
  await waitFor(() => expect(where()).toBe('?page=2'))
  await screen.findByText('Showing 4 to 6 of 6 users')
  expect([next.getAttribute('aria-disabled'), next.hasAttribute('disabled')]).toEqual(['true', false])
  fireEvent.click(next)
  expect(where()).toBe('?page=2')
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }))
  const up = () => screen.getByRole('button', { name: 'Move Devices up' })
  await waitFor(up)
  fireEvent.click(up())
  await waitFor(() => expect(up().getAttribute('aria-disabled')).toBe('true'))
  expect(up().hasAttribute('disabled')).toBe(false)
  // A screen reader says where the column is.
  expect(screen.getByRole('dialog').querySelector('[aria-live]')?.textContent).toBe('Devices: 1 of 2')
})

test('one page alone has no pager', async () => {
  await show()
  await rowOf('Sita')
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
})

test('a column that was hidden stays hidden on the next visit, and the address says which are shown', async () => {
  const { storage } = await show()
  await rowOf('Sita')
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Phone' }))
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Phone' })).toBeNull())
  expect(where()).toBe('?columns=deviceCount')
  expect(storage.getItem('list.people.')).toBe('columns=deviceCount')
})

test("a failed list shows the server's message and the request id for support, and can be retried", async () => {
  let isDown = true
  const { clock } = await show(() =>
    isDown ? { status: 503, code: 'UNAVAILABLE', message: 'The database is away.' } : page(people)({} as never)
  )
  const alert = await screen.findByRole('alert')
  within(alert).getByText('Failed to load users')
  expect(alert.textContent).toContain('The database is away.')
  expect(alert.textContent).toContain('503')
  isDown = false
  clock.advance(10_000)
  await rowOf('Sita')
})

test.each(['a table', 'cards'])(
  'typing renders no row of %s again that stays, nor does selecting another row',
  async (look) => {
    onTestFinished(() => void vi.unstubAllGlobals())
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === narrowScreen && look === 'cards',
      addEventListener: () => undefined,
      removeEventListener: () => undefined
    }))
    const drawn: string[] = []
    const columns: readonly Column<Person>[] = [
      { ...ownColumns[0], id: 'name', label: 'users.name', width: 100, cell: ({ name }) => (drawn.push(name), name) }
    ]
    const app = await createTestApp({
      areas: ['table', 'users'],
      server: page([...people.slice(0, 2), person('Gita', 1)])
    })
    app.show(<People pageSize={200} columns={columns} />)
    const box = await screen.findByRole('checkbox', { name: 'Select Gita' })
    expect(new Set(drawn)).toEqual(new Set(['Sita', 'Anil', 'Gita']))
    drawn.length = 0
    const type = (value: string) =>
      fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value } })
    type('i')
    type('it')
    act(() => app.clock.advance(200))
    expect(where()).toBe('?filter=it')
    expect(drawn).toEqual([])
    fireEvent.click(box)
    expect(box.getAttribute('aria-checked')).toBe('true')
    expect(new Set(drawn)).toEqual(new Set(['Gita']))
    drawn.length = 0
    type('')
    expect(new Set(drawn)).toEqual(new Set(['Anil']))
    drawn.length = 0
    // A refetch changes one row.
    app.queryClient.setQueriesData<{ rows: Person[] }>(
      { queryKey: ['people'] },
      (data) => data && { ...data, rows: data.rows.map((row) => (row.name === 'Anil' ? { ...row, phone: '1' } : row)) }
    )
    await waitFor(() => expect(drawn).not.toEqual([]))
    expect(new Set(drawn)).toEqual(new Set(['Anil']))
  }
)

test('a full page of a hundred rows draws only the visible ones', async () => {
  const hundred = Array.from({ length: 100 }, (_, index) => person(`Person ${String(index).padStart(3, '0')}`, index))
  await show(page(hundred, 5000), '/', 100)
  expect((await screen.findByRole('grid')).getAttribute('aria-rowcount')).toBe('5001')
  expect(screen.queryAllByRole('row').length).toBeLessThan(60)
})

test('a list of thousands draws only the visible rows', async () => {
  const many = Array.from({ length: 300 }, (_, index) => person(`Person ${index}`, index))
  await show(page(many), '/', 500)
  await screen.findByRole('grid')
  expect(screen.queryAllByRole('row').length).toBeLessThan(120)
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('301')
})

test('a row is named once, by its data, and counted over all pages', async () => {
  await show(page(people, 9), '/?page=3', 3)
  const row = await screen.findByRole('row', { name: 'Maya – 1' })
  within(row).getByRole('rowheader', { name: 'Maya' })
  expect(row.getAttribute('aria-rowindex')).toBe('10')
  const type = (value: string) =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find' }), { target: { value } })
  type('may')
  expect((await rowOf('Maya')).getAttribute('aria-rowindex')).toBe('2')
})

test('a row is headed by its title where its first column is a code', async () => {
  const app = await createTestApp({ areas: ['table', 'users'], server: page(people) })
  const id: Column<Person> = { id: '_id', label: 'users.id', width: 100, isCode: true }
  const columns = [id, ...ownColumns.map((column) => ({ ...column, isTitle: column.id === 'name' }))]
  app.show(<People pageSize={200} columns={columns} />)
  await screen.findByRole('rowheader', { name: 'Sita' })
})

test("a truncated cell shows its displayed text on hover, not the server's word for it", async () => {
  const app = await createTestApp()
  const drawn: Column<Person> = {
    id: 'name',
    label: 'users.name',
    cell: ({ name }) => <b>{name} in words</b>,
    width: 100
  }
  const code: Column<Person> = { ...drawn, cell: ({ name }) => name.slice(0, 2), isCode: true }
  app.show(
    <>
      <Cell column={drawn} row={person('Sita', 2)} hasMore={false} />
      <Cell column={code} row={person('Maya', 1)} hasMore={false} />
    </>
  )
  const cell = screen.getByText('Sita in words').parentElement
  if (cell === null) throw new Error('no cell')
  expect(cell.title).toBe('')
  fireEvent.pointerEnter(cell)
  expect(cell.title).toBe('Sita in words')
  expect(screen.getByText('Ma').title).toBe('Maya')
})
