import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sita, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { SwitchOptions } from './switch-options.tsx'

test('a name that is typed while the favourite is saved stays', async () => {
  let answer = () => {}
  const record = switchRecord()
  const app = await createTestApp({
    areas: ['devices', 'switches'],
    server: ({ method }) =>
      method === 'get' ? { data: record } : new Promise((resolve) => (answer = () => resolve({ data: record })))
  })
  app.show(<SwitchOptions deviceId={record.deviceId} index={record.switchIndex} name="Lamp" />)
  fireEvent.click(screen.getByRole('button', { name: /^Options/ }))
  fireEvent.click(await screen.findByRole('button', { name: /favourites/ }))
  await waitFor(() => expect(app.requests.some(({ method }) => method !== 'get')).toBe(true))
  const name = screen.getByRole('textbox')
  fireEvent.change(name, { target: { value: 'Reading lamp' } })
  await act(async () => answer())
  await waitFor(() => expect(app.requests.filter(({ method }) => method === 'get').length).toBeGreaterThan(1))
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'Reading lamp')
})

test('a name that is being saved cannot be discarded', async () => {
  const record = switchRecord()
  const app = await createTestApp({
    areas: ['devices', 'switches'],
    server: ({ method }) => (method === 'get' ? { data: record } : new Promise(() => {}))
  })
  app.show(<SwitchOptions deviceId={record.deviceId} index={record.switchIndex} name="Lamp" />)
  fireEvent.click(screen.getByRole('button', { name: /^Options/ }))
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'Reading lamp' } })
  fireEvent.submit(screen.getByRole('textbox'))
  await waitFor(() => expect(app.requests.some(({ method }) => method !== 'get')).toBe(true))
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  const question = await screen.findByRole('alertdialog', { name: 'It is being saved: closing does not stop that.' })
  expect(question.textContent).not.toContain('Discard')
})

test('a reload and Back ask before a typed name is lost', async () => {
  const record = switchRecord()
  const app = await createTestApp({ areas: ['devices', 'switches'], server: () => ({ data: record }) })
  app.showInBrowser(<SwitchOptions deviceId={record.deviceId} index={record.switchIndex} name="Lamp" />)
  fireEvent.click(screen.getByRole('button', { name: /^Options/ }))
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'Reading lamp' } })
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  window.history.back()
  await screen.findByRole('alertdialog', { name: 'Discard what you typed?' })
  expect(screen.getByDisplayValue('Reading lamp')).toBeTruthy()
})

test.each([
  ['user', ['/user/logs?switch=ID&why=1', '/user/switches/ID']],
  ['admin', ['/admin/logs?switch=ID&why=1']]
] as const)('links of a switch lead to pages of the %s', async (role, paths) => {
  const record = switchRecord()
  const app = await createTestApp({ areas: ['devices', 'switches'], server: () => ({ data: record }) })
  const token = accessToken({ role, expMs: app.clock.now() + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r' }, { ...sita, role })
  app.show(<SwitchOptions deviceId={record.deviceId} index={record.switchIndex} name="Lamp" />)
  fireEvent.click(screen.getByRole('button', { name: /^Options/ }))
  const links = await screen.findAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(paths.map((path) => path.replace('ID', record._id)))
})
