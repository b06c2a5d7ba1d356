import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { roleHome } from './role-home.ts'
import { AppRoutes, firstTextsOf, loadFirstScreen } from './router.tsx'
import { screens } from './screens.ts'

const now = 1_800_000_000_000

function Where() {
  const { pathname, search } = useLocation()
  return <output data-testid="where">{pathname + search}</output>
}
type Role = 'user' | 'admin' | 'monitor'
const tokenOf = (role: Role) => accessToken({ role, iatMs: now, expMs: now + 900_000 })
/** Signs everybody in with this role. */
const loginAs =
  (role: Role): TestServer =>
  ({ url }) =>
    url.includes('login')
      ? { data: { accessToken: tokenOf(role), refreshToken: 'r1', user: { ...sita, role } } }
      : { data: {} }

async function goTo(path: string, app: Awaited<ReturnType<typeof createTestApp>>) {
  app.show(
    <>
      <AppRoutes />
      <Where />
    </>,
    path
  )
  return () => screen.getByTestId('where').textContent
}
async function logIn() {
  fireEvent.change(await screen.findByLabelText('Email or phone'), { target: { value: 'sita@example.com' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'long enough' } })
  fireEvent.click(screen.getByRole('button', { name: 'Login' }))
}
async function visit(path: string, role: Role | null) {
  const app = await createTestApp({ server: () => ({ data: {} }) })
  if (role !== null) {
    app.session.signIn({ accessToken: tokenOf(role), refreshToken: 'r1' }, { ...sita, role })
  }
  return goTo(path, app)
}

test.each(['/user/devices', '/user/devices/new', '/admin/dashboard', '/monitor/dashboard'])(
  '%s sends a visitor to /login, which shows the login form',
  async (path) => {
    const where = await visit(path, null)
    expect(where()).toBe('/login')
    await screen.findByRole('button', { name: 'Login' })
  }
)

test('an unknown path goes to /user/login', async () => {
  const where = await visit('/no/such/page', null)
  expect(where()).toBe('/user/login')
})

test('a new page sets the title of the tab and moves the focus to its beginning', async () => {
  await visit('/user/login', null)
  await waitFor(() => expect(document.title).toMatch(/^Welcome back · /))
  fireEvent.click(await screen.findByRole('link', { name: 'Forgot Password?' }))
  await waitFor(() => expect(document.title).toMatch(/^Forgot your password\? · /))
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test.each([
  ['user', '/admin/dashboard'],
  ['monitor', '/admin/dashboard'],
  ['admin', '/user/devices']
] as const)('a %s who opens %s is told at the login that it is for others, with a link home', async (role, path) => {
  const where = await visit(path, role)
  await screen.findByText(/for other accounts\. You are signed in as Sita Thapa\./)
  expect(where()).toBe('/login')
  expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'To your own home' }))
  await expect.poll(where).toBe(roleHome(role))
})

test('a user who logs in on a page left open by another account gets to their own home', async () => {
  const app = await createTestApp({ server: () => ({ data: {} }) })
  app.session.signIn({ accessToken: tokenOf('user'), refreshToken: 'r1' }, sita)
  const where = await goTo('/user/rooms', app)
  const admin = { ...sita, _id: 'another', role: 'admin' as const }
  act(() => app.session.signIn({ accessToken: tokenOf('admin'), refreshToken: 'r2' }, admin))
  await expect.poll(where).toBe('/admin/dashboard')
})

test.each(['/monitor/audit-logs', '/monitor/rollouts/new'])(
  'a monitor is told that %s is only for administrators',
  async (path) => {
    const where = await visit(path, 'monitor')
    await screen.findByText('This page is for administrators alone.')
    expect(where()).toBe(path)
  }
)

test.each(['/login', '/user/login'])('a signed-in user who opens %s is redirected to their home', async (path) => {
  const where = await visit(path, 'user')
  await expect.poll(where).toBe('/user/home')
})

test.each([
  ['admin', '/admin/users?page=2'],
  ['monitor', '/monitor/dashboard']
] as const)('a user who was refused a page and logs in as %s goes on to %s', async (role, wanted) => {
  const app = await createTestApp({ server: loginAs(role) })
  app.session.signIn({ accessToken: tokenOf('user'), refreshToken: 'r1' }, sita)
  const where = await goTo('/admin/users?page=2', app)
  await logIn()
  await expect.poll(where).toBe(wanted)
})

test.each([
  ['user', '/login?next=verify-email', '/user/profile?action=verify-email'],
  ['admin', '/login?next=verify-phone', '/admin/profile?action=verify-phone'],
  ['user', '/login?next=https://elsewhere.example', '/user/home'],
  ['user', '/login', '/user/home']
] as const)('a %s who logs in at %s goes on to %s', async (role, path, wanted) => {
  const where = await goTo(path, await createTestApp({ server: loginAs(role) }))
  await logIn()
  await expect.poll(where).toBe(wanted)
})

test('the answer to a login may contain only the role of the user', async () => {
  const answer = { accessToken: tokenOf('admin'), refreshToken: 'r1', user: { role: 'admin' } }
  const where = await goTo('/login', await createTestApp({ server: () => ({ data: answer }) }))
  await logIn()
  await expect.poll(where).toBe('/admin/dashboard')
})

test('the texts of a home are loaded while a password is checked', async () => {
  const answer = Promise.withResolvers<Awaited<ReturnType<TestServer>>>()
  const app = await createTestApp({ server: ({ url }) => (url.includes('login') ? answer.promise : { data: {} }) })
  const ahead = vi.spyOn(app.language, 'ahead')
  const where = await goTo('/login', app)
  await logIn()
  await expect.poll(() => ahead.mock.calls).toEqual([[firstTextsOf('/user/home')]])
  expect(where()).toBe('/login')
  answer.resolve({ data: { accessToken: tokenOf('user'), refreshToken: 'r1', user: sita } })
  await expect.poll(where).toBe('/user/home')
})

test('a visitor whom the guard sent to the login goes to their home afterwards', async () => {
  const where = await goTo('/user/sessions', await createTestApp({ server: loginAs('user') }))
  await logIn()
  await expect.poll(where).toBe('/user/home')
})

test.each([
  ['user', '/user/sessions?x=1'],
  ['admin', '/admin/dashboard']
] as const)('a session that ends by itself is reported at the login; a %s goes on to %s', async (role, wanted) => {
  const app = await createTestApp({ server: loginAs(role) })
  app.session.signIn({ accessToken: tokenOf('user'), refreshToken: 'r1' }, sita)
  const where = await goTo('/user/sessions?x=1', app)
  act(() => app.session.end('expired'))
  await screen.findByText('Your session has ended. Log in again.')
  expect(where()).toBe('/user/login')
  await logIn()
  await expect.poll(where).toBe(wanted)
})

test('logging out forgets the page', async () => {
  const app = await createTestApp({ server: loginAs('user') })
  app.session.signIn({ accessToken: tokenOf('user'), refreshToken: 'r1' }, sita)
  const where = await goTo('/user/sessions', app)
  act(() => app.session.end('logout'))
  await screen.findByText('Log in to your lights.')
  await logIn()
  await expect.poll(where).toBe('/user/home')
})

test('the home of every role is a screen that this role may see', () => {
  for (const role of ['user', 'admin', 'monitor'] as const) {
    const home = screens.find((candidate) => candidate.path === roleHome(role))
    expect(home?.roles).toContain(role)
  }
})

test('every page of an area is guarded by the role in its path, except the public ones of accounts', () => {
  const guardsOf = (area: string) =>
    new Set(screens.flatMap(({ path, roles }) => (path.startsWith(area) && roles !== 'public' ? [roles.join()] : [])))
  expect([...guardsOf('/admin/'), ...guardsOf('/monitor/'), ...guardsOf('/user/')]).toEqual([
    'admin',
    'monitor',
    'user'
  ])
  const open = screens.filter(({ path, roles }) => roles === 'public' && /^\/(admin|monitor)\//.test(path))
  expect(open).toEqual([])
})

test('no path is listed twice, and the first screen’s texts are known from the address', () => {
  expect(new Set(screens.map((candidate) => candidate.path)).size).toBe(screens.length)
  expect(firstTextsOf('/user/login')).toEqual(['accounts'])
})

test('the first screen of a visit requests its data before it is drawn; no other page is loaded', async () => {
  const app = await createTestApp({ server: () => ({ data: {} }) })
  expect(await loadFirstScreen(app, '/user/home')).toBeNull()
  expect(await loadFirstScreen(app, '/no/such/page')).toBeNull()
  expect(app.requests).toEqual([])
  app.session.signIn({ accessToken: accessToken({ iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' }, sita)
  expect((await loadFirstScreen(app, '/user/home'))?.path).toBe('/user/home')
  await expect.poll(() => app.requests.map(({ url }) => url).toSorted()).toEqual(['/api/v1/devices', '/api/v1/home'])
  expect(await loadFirstScreen(app, '/admin/dashboard')).toBeNull()
})
