import { networkError } from '@batti/client/transport'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountRecord } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { EditProfileDialog } from './edit-profile-dialog.tsx'

const account = accountRecord({ emailVerification: true, address: 'Pokhara' })

async function open(server: TestServer = () => ({ data: account })) {
  let isClosed = false
  const app = await createTestApp({ areas: ['profile', 'accounts'], server })
  app.show(<EditProfileDialog account={account} onClose={() => void (isClosed = true)} />)
  return {
    ...app,
    fill: (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } }),
    save: async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
      await waitFor(() => expect(isClosed).toBe(true))
    },
    sent: () => app.requests.map(({ body }) => Object.fromEntries(body as FormData))
  }
}

test('only the new name is sent: another phone may have changed the number', async () => {
  const { fill, save, sent } = await open()
  fill(/^Name/, 'Sita Sharma')
  await save()
  expect(sent()).toEqual([{ name: 'Sita Sharma' }])
})

test('a removed number is sent empty', async () => {
  const { fill, save, sent } = await open()
  fill(/^Phone/, '')
  await save()
  expect(sent()).toEqual([{ phone: '' }])
})

test('an e-mail that was typed back is sent if an earlier try, without an answer, may have changed it', async () => {
  let tries = 0
  const { fill, save, sent } = await open(() =>
    ++tries === 1 ? Promise.reject(networkError(null)) : { data: account }
  )
  fill(/^Email/, 'sit@example.com')
  fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  await waitFor(() => expect(screen.getByLabelText(/^Email/).closest('[inert]')).toBeNull())
  fill(/^Email/, 'sita@example.com')
  await save()
  expect(sent()).toEqual([{ email: 'sit@example.com' }, { email: 'sita@example.com' }])
})

test('nothing is sent if nothing was edited', async () => {
  const { save, sent } = await open()
  await save()
  expect(sent()).toEqual([])
})

test('a refused picture is shown at its field until another one is chosen', async () => {
  const message = 'Choose a picture: JPEG, PNG, WebP or GIF.'
  const errors = [{ path: 'profileImage', message }]
  await open(() => ({ status: 415, code: 'UNSUPPORTED_MEDIA', message, errors }))
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input === null) throw new Error('There is no field for a picture.')
  const choose = () =>
    fireEvent.change(input, { target: { files: [new File(['text'], 'me.png', { type: 'image/png' })] } })
  choose()
  fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  await waitFor(() => expect(document.activeElement).toBe(input))
  choose()
  expect(screen.queryByRole('alert')).toBeNull()
})
