import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './new-device.tsx'

const away = { status: 503, code: 'UNAVAILABLE', message: 'Away for a minute.' }

/** Loads the page as a browser does after a reload; `made` counts the codes of the server, which may be away. */
async function load(made: { codes: number; isAway?: boolean }) {
  const app = await createTestApp({
    areas: ['pairing', 'devices', 'colours'],
    server: ({ method, url }) => {
      if (method !== 'post') return { data: { id: url.split('/').at(-1), step: 'reached' } }
      if (made.isAway === true) return away
      made.codes += 1
      const code = `CODE-${made.codes}`
      const expiresAt = new Date(app.clock.now() + 600_000).toISOString()
      return { data: { id: `id-${made.codes}`, code, userId: `u.${code}`, expiresAt } }
    }
  })
  const expMs = app.clock.now() + 900_000
  app.session.signIn({ accessToken: accessToken({ sub: sita._id, expMs }), refreshToken: 'r' }, sita)
  const { unmount } = app.show(<Screen />)
  const button = await screen.findByRole('button', { name: /^(Send to|Open) the board/ })
  await expect.poll(() => button.hasAttribute('disabled')).toBe(made.isAway === true)
  return { ...app, button, unmount }
}

/** A phone ends a hidden page without its effects' ends. */
function endPage(unmount: () => void) {
  window.dispatchEvent(new Event('pagehide'))
  const left = Object.entries(window.sessionStorage)
  unmount()
  for (const [key, value] of left) window.sessionStorage.setItem(key, String(value))
}

function type() {
  fireEvent.change(screen.getByLabelText('Wi-Fi name (SSID)'), { target: { value: 'Himal-2G' } })
  fireEvent.change(screen.getByLabelText('Wi-Fi password'), { target: { value: 'everest8848' } })
}

function send() {
  type()
  const form = document.querySelector('form[method=post]')
  if (form === null) throw new Error('no form')
  fireEvent.submit(form)
}

test('a page that the phone ended while it was in the board’s Wi-Fi follows the same board again', async () => {
  const made = { codes: 0 }
  const before = await load(made)
  send()
  endPage(before.unmount)
  const after = await load(made)
  expect(made.codes).toBe(1)
  expect(after.button.textContent).toBe('Open the board’s page again')
  expect(after.requests.map(({ url }) => url)).toContain('/api/v1/device-claims/id-1')
  // The next board has another code.
  after.unmount()
  await load(made)
  expect(made.codes).toBe(2)
})

test('who opens the page by a link sets another board up', async () => {
  const made = { codes: 0 }
  const before = await load(made)
  send()
  endPage(before.unmount)
  window.history.pushState(null, '')
  const after = await load(made)
  expect(made.codes).toBe(2)
  expect(after.button.textContent).toBe('Send to the board')
})

test('a code that was sent to no board is not kept', async () => {
  const made = { codes: 0 }
  const before = await load(made)
  endPage(before.unmount)
  await load(made)
  expect(made.codes).toBe(2)
})

test('what is typed stays while no code can be made, and is sent with the one that comes', async () => {
  const made = { codes: 0, isAway: true }
  const { button } = await load(made)
  type()
  await screen.findByText('Away for a minute.')
  made.isAway = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await expect.poll(() => button.hasAttribute('disabled')).toBe(false)
  expect(screen.queryByText('Away for a minute.')).toBeNull()
  expect(screen.getByLabelText('Wi-Fi name (SSID)')).toHaveProperty('value', 'Himal-2G')
  expect(screen.getByLabelText('Wi-Fi password')).toHaveProperty('value', 'everest8848')
})

test('what is typed stays if another code cannot be made', async () => {
  const made = { codes: 0, isAway: false }
  const app = await load(made)
  type()
  app.line.receive('claim-progress', { id: 'id-1', step: 'failed', detail: 'This board is not known.' })
  const another = await screen.findByRole('button', { name: 'Start again with a new code' })
  made.isAway = true
  fireEvent.click(another)
  await expect.poll(() => app.queryClient.getQueryState(['device-claim', 'new'])?.status).toBe('error')
  expect(screen.getByLabelText('Wi-Fi name (SSID)')).toHaveProperty('value', 'Himal-2G')
})
