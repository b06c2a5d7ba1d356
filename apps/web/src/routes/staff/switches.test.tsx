import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sita, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { accessToken } from '#web/test/tokens.ts'
import { Screen as Home } from './home.tsx'
import { Screen as Switches } from './switches.tsx'

const records = [
  switchRecord({ _id: '1', switchName: 'Burns', status: true }),
  switchRecord({ _id: '2', switchName: 'Dark' }),
  switchRecord({ _id: '3', switchName: 'Silent', isOnline: false }),
  switchRecord({ _id: '4', switchName: 'Silent and last on', isOnline: false, status: true })
]
const words = ['On', 'Off', 'Unknown', 'Unknown']

test('the list shows switches of an offline board as unknown, not off', async () => {
  const app = await createTestApp({
    areas: textsOf('/admin/switches'),
    server: () => ({ data: records })
  })
  app.show(<Switches />)
  await screen.findByText('Silent')
  const said = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByText(/^(On|Off|Unknown)$/).textContent)
  expect(said).toEqual(words)
})

test('the home of staff does the same', async () => {
  const app = await createTestApp({
    areas: textsOf('/admin/home'),
    server: () => ({ data: { favoriteSwitches: records, rooms: [], totalSwitches: 4, totalOnSwitches: 1 } })
  })
  app.show(<Home />)
  await screen.findByText('Silent')
  expect(screen.getAllByText(/^(On|Off|Unknown)$/).map(({ textContent }) => textContent)).toEqual(words)
})

test('Favorite is locked while it runs: a second press would be ignored', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const app = await createTestApp({
    areas: textsOf('/admin/switches'),
    server: ({ method }) => (method === 'get' ? { data: records } : promise)
  })
  const now = app.clock.now()
  const token = accessToken({ role: 'admin', iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role: 'admin', permissions: [] })
  app.show(<Switches />)
  fireEvent.click((await screen.findAllByRole('checkbox', { name: /Burns/ }))[0] ?? document.body)
  const button = within(await screen.findByRole('region', { name: /select/i })).getByRole('button', {
    name: 'Favorite'
  })
  fireEvent.click(button)
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
  resolve({ data: records[0] })
  await expect.poll(() => button.getAttribute('aria-disabled')).toBeNull()
})
