import { networkError, type HttpRequest } from '@batti/client/transport'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { notify } from '#web/lib/notify.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { accountRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { useAccount } from '../api/get-account.ts'
import { VerifyContactPanel } from './verify-contact-panel.tsx'

const account = accountRecord()
const spent = { status: 400, code: 'CODE_INVALID', message: 'This code is invalid or has expired.' }

/** Shows the panel with a server that answers these calls one after the other, and says whether the email is verified. */
async function open(answers: (Answer | 'lost')[], isVerified: () => boolean = () => false) {
  const server = ({ url }: HttpRequest) => {
    if (url.endsWith('/account')) return { data: { ...account, emailVerification: isVerified() } }
    const answer = answers.shift() ?? { data: null }
    return answer === 'lost' ? Promise.reject(networkError(null)) : answer
  }
  const app = await createTestApp({ areas: ['profile', 'accounts'], server })
  app.show(<VerifyContactPanel contact="email" account={account} onVerified={() => {}} />)
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  return {
    press,
    verify: (code: string) => {
      fireEvent.change(screen.getByLabelText('Code'), { target: { value: code } })
      press('Verify')
    }
  }
}

test('a code that was accepted with a lost answer has verified the email', async () => {
  const { press, verify } = await open([{ data: null }, 'lost'], () => true)
  press('Send Code')
  await screen.findByLabelText('Code')
  verify('123456')
  await screen.findByText('Email verified successfully!')
})

test('an email that was verified meanwhile needs no other code', async () => {
  const message = 'Your email is verified already.'
  const { press } = await open([{ status: 409, code: 'CONFLICT', message }], () => true)
  press('Send Code')
  await screen.findByText('Email verified successfully!')
})

test('without an answer the code may be tried again, and the notice says that it may have been accepted', async () => {
  const notices = vi.spyOn(notify, 'info')
  const { press, verify } = await open([{ data: null }, 'lost', spent])
  press('Send Code')
  await screen.findByLabelText('Code')
  verify('123456')
  expect((await screen.findByRole('alert')).textContent).toBe('Verification failed')
  expect(notices.mock.lastCall?.[0]).toMatch(/^No answer came/)
  expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('123456')
  press('Verify')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Send Code' })))
})

test('a refused request for another code keeps what was typed', async () => {
  const message = 'Please try again after 42 seconds.'
  const { press } = await open([{ data: null }, { status: 429, code: 'TOO_MANY_REQUESTS', message }])
  press('Send Code')
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } })
  press('Send another code')
  await screen.findByText(message)
  expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('123456')
})

function OfAccount() {
  const { data } = useAccount()
  return data && <VerifyContactPanel contact="email" account={data} onVerified={() => {}} />
}

test('a refused code shows the address to which another phone has changed the account', async () => {
  let email = 'sita@example.com'
  const app = await createTestApp({
    areas: ['profile', 'accounts'],
    server: ({ url }) => (url.endsWith('/account') ? { data: { ...account, emailVerification: false, email } } : spent)
  })
  app.show(<OfAccount />)
  await screen.findByText(/sita@example\.com/)
  email = 'sita@new.example'
  fireEvent.click(screen.getByRole('button', { name: 'Send Code' }))
  await screen.findByRole('alert')
  screen.getByText(/sita@new\.example/)
})

test('the link on another phone ends the steps with their message', async () => {
  let emailVerification = false
  const app = await createTestApp({
    areas: ['profile', 'accounts'],
    server: ({ url }) => (url.endsWith('/account') ? { data: { ...account, emailVerification } } : { data: null })
  })
  app.show(<OfAccount />)
  fireEvent.click(await screen.findByRole('button', { name: 'Send Code' }))
  await screen.findByLabelText('Code')
  emailVerification = true
  await app.queryClient.invalidateQueries({ queryKey: queryKeys.account })
  await screen.findByText('Email verified successfully!')
})
