import { ApiError } from '@batti/client/api-error'
import { networkError } from '@batti/client/transport'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { toast } from 'react-hot-toast'
import { afterEach, expect, test, vi } from 'vitest'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { ToastTexts } from '#web/test/toast-texts.tsx'
import { RegisterForm } from './register-form.tsx'

const filled = {
  'Full name': 'Sita Sharma',
  Phone: '9812345678',
  Email: 'sita@example.com',
  Password: 'three quiet lamps',
  Address: 'Pokhara'
}

afterEach(() => act(() => toast.remove()))

/** The result of a request: its answer, or none. */
type Outcome = Answer | Promise<Answer> | 'lost' | 'unsent'

async function open(...outcomes: Outcome[]) {
  const onRegistered = vi.fn<() => void>()
  const app = await createTestApp({
    areas: ['accounts'],
    server: () => {
      const outcome = outcomes[app.requests.length - 1] ?? { data: null }
      if (outcome === 'unsent') return Promise.reject(new ApiError('UNSENT', 'No network.'))
      return outcome === 'lost' ? Promise.reject(networkError(null)) : outcome
    }
  })
  app.show(
    <>
      <ToastTexts />
      <RegisterForm onRegistered={onRegistered} />
    </>
  )
  const fill = (values: Partial<typeof filled>) => {
    for (const [label, value] of Object.entries(values))
      fireEvent.change(screen.getByLabelText(label), { target: { value } })
  }
  const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  return { ...app, onRegistered, fill, submit }
}

test('the registration token is stored, and the code is requested', async () => {
  const { storage, onRegistered, requests, fill, submit } = await open({ data: { registrationToken: 'r-1' } })
  fill(filled)
  submit()
  await screen.findByText('Signup successful! Check your email to verify.')
  expect(onRegistered).toHaveBeenCalledOnce()
  expect(storage.getItem('registrationToken')).toBe('r-1')
  const sent = requests[0]?.body as FormData
  expect(Object.fromEntries(sent)).toMatchObject({ name: 'Sita Sharma', phone: '9812345678', countryCode: '+977' })
})

test.each<unknown>([{}, null, { registrationToken: '' }])(
  'an answer of %j, without a registration token, is reported in the specified words',
  async (data) => {
    const { storage, onRegistered, fill, submit } = await open({ data })
    fill(filled)
    submit()
    await screen.findByText('Something went wrong: Missing registration token')
    expect(onRegistered).not.toHaveBeenCalled()
    expect(storage.getItem('registrationToken')).toBeNull()
  }
)

test.each([
  ['Please try again after 42 seconds.', 'Please try again after 42 seconds.'],
  ['', 'Signup failed.']
])('an error with “%s” is shown as “%s”', async (message, shown) => {
  const { fill, submit } = await open({ status: 429, code: 'TOO_MANY_REQUESTS', message })
  fill(filled)
  submit()
  await screen.findByText(shown)
})

const wait: Answer = { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Please try again after 57 seconds.' }
const tokensOf = (requests: readonly { body: unknown }[]) =>
  requests.map(({ body }) => (body as FormData).get('registrationToken'))

test('after a lost answer the received code can be used: pressing again continues to it', async () => {
  const { storage, onRegistered, requests, fill, submit } = await open('lost', wait)
  fill(filled)
  submit()
  await screen.findByText('Signup failed.')
  submit()
  await waitFor(() => expect(onRegistered).toHaveBeenCalledOnce())
  await screen.findByText('Please try again after 57 seconds.')
  const [first, second] = tokensOf(requests)
  expect(first).toMatch(/^[\da-f]{64}$/)
  expect(second).toBe(first)
  expect(storage.getItem('registrationToken')).toBe(first)
})

test('a try in between that was not sent, and another address, do not lose the code of the lost answer', async () => {
  const { storage, onRegistered, requests, fill, submit } = await open('lost', 'unsent', wait, wait)
  const sent = async (count: number) => {
    submit()
    await waitFor(() => expect(requests).toHaveLength(count))
    await screen.findByRole('button', { name: 'Create Account' })
  }
  fill(filled)
  await sent(1)
  await sent(2)
  fill({ Email: 'ram@example.com' })
  await sent(3)
  expect(onRegistered).not.toHaveBeenCalled()
  fill({ Email: filled.Email })
  await sent(4)
  await waitFor(() => expect(onRegistered).toHaveBeenCalledOnce())
  expect(storage.getItem('registrationToken')).toBe(tokensOf(requests)[0])
})

test('a rate limit longer than that of a sent code stays on the form', async () => {
  const { storage, onRegistered, requests, fill, submit } = await open('lost', wait)
  fill(filled)
  submit()
  await screen.findByText('Signup failed.')
  fill({ Email: 'ram@example.com' })
  submit()
  await screen.findByText('Please try again after 57 seconds.')
  expect(onRegistered).not.toHaveBeenCalled()
  expect(storage.getItem('registrationToken')).toBeNull()
  expect(new Set(tokensOf(requests)).size).toBe(2)
})

test('while the request runs the button says so, and a second press sends nothing', async () => {
  let finish = (_answer: Answer) => {}
  const { onRegistered, requests, fill, submit } = await open(new Promise<Answer>((resolve) => (finish = resolve)))
  fill(filled)
  submit()
  fireEvent.click(await screen.findByRole('button', { name: 'Submitting...' }))
  finish({ data: { registrationToken: 'r-1' } })
  await waitFor(() => expect(onRegistered).toHaveBeenCalledOnce())
  expect(requests).toHaveLength(1)
})

test('all five fields are required, and nothing is sent without them', async () => {
  const { requests, submit } = await open({ data: null })
  submit()
  expect(screen.getAllByText('This is required.')).toHaveLength(5)
  expect(requests).toEqual([])
})

test('a file that is not a picture is refused when it is chosen', async () => {
  await open({ data: null })
  const input = document.querySelector('input[type=file]')
  if (input === null) throw new Error('There is no field for a picture.')
  const choose = (file: File) => fireEvent.change(input, { target: { files: [file] } })
  choose(new File(['%PDF'], 'me.pdf', { type: 'application/pdf' }))
  expect(screen.getByRole('alert').textContent).toBe('Please choose a picture (JPEG, PNG, WebP or GIF).')
  choose(new File(['GIF89a'], 'me.gif', { type: 'image/gif' }))
  expect(screen.queryByRole('alert')).toBeNull()
})
