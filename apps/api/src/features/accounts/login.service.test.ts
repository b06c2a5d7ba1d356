import { createFakeClock } from '@batti/kit/testing'
import bcrypt from 'bcrypt'
import { beforeAll, expect, test } from 'vitest'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { AccountsRepository } from './accounts.repository.ts'
import { defaultAccountLimits } from './limits.ts'
import { createLoginService } from './login.service.ts'
import { newAccount } from './new-account.ts'
import { createPasswordQueue } from './password/password-queue.ts'
import { createPasswords } from './password/password.ts'

const client = { ip: '203.0.113.7', userAgent: 'test', requestId: 'r' }
const sita: AccountRecord & { passwordHash: string | null } = {
  id: 'a'.repeat(24),
  ...newAccount({
    name: 'Sita',
    email: 'sita@example.com',
    emailKey: 'sita@example.com',
    loginEmailVerified: true,
    role: 'user',
    passwordHash: null,
    createdAt: new Date(0)
  })
}

const makePasswords = (work: string[] = [], cost = 4) =>
  createPasswords({
    bcrypt: {
      hash: (text, rounds) => bcrypt.hash(text, rounds),
      compare(text, hash) {
        work.push(`bcrypt compare at ${bcrypt.getRounds(hash)}`)
        return bcrypt.compare(text, hash)
      }
    },
    cost,
    common: new Set(),
    run: createPasswordQueue(1)
  })
beforeAll(async () => {
  sita.passwordHash = await makePasswords().hash('the right one')
})

/** The service with parts that record their calls in order. `later`: what is stored after the comparison. */
function create({ stored = sita, later }: { stored?: AccountRecord; later?: Partial<AccountRecord> } = {}) {
  const work: string[] = []
  const note =
    <T>(what: string, answer: T) =>
    async () => {
      work.push(what)
      return answer
    }
  const passwords = makePasswords(work)
  const accounts: Partial<AccountsRepository> = {
    findByLoginEmail: async (key) => {
      work.push('find by e-mail')
      return key === sita.loginEmailKey ? stored : null
    },
    findByLoginPhone: note('find by phone', null),
    findById: async () => ({ ...stored, ...later }),
    rememberIp: note('remember address', undefined)
  }
  const session = { sessionId: 's1', accessToken: 'a', refreshToken: 'r', expiresAt: 0 }
  const logins = createLoginService({
    accounts: accounts as AccountsRepository,
    startSession: note('start session', session),
    endSession: note('end session', true),
    passwords,
    limits: {
      consume: note('limit consume', undefined),
      check: note('limit check', undefined),
      count: note('limit count', undefined)
    },
    limit: defaultAccountLimits,
    clock: createFakeClock(0),
    security: (event) => void work.push(event)
  })
  return { logins, work, passwords }
}

async function workOf(parts: ReturnType<typeof create>, identifier: { email?: string; phone?: string }) {
  await expect(parts.logins.login(identifier, 'a wrong one', client)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  return parts.work
}

test('an unknown account costs the same work as a wrong password, so that the time reveals nothing', async () => {
  const wrong = await workOf(create(), { email: 'sita@example.com' })
  expect(wrong.filter((step) => step.startsWith('bcrypt'))).toEqual(['bcrypt compare at 4'])
  expect(await workOf(create(), { email: 'nobody@example.com' })).toEqual(wrong)
  const byPhone = await workOf(create(), { phone: '+9779812345678' })
  expect(byPhone).toEqual(wrong.map((step) => (step === 'find by e-mail' ? 'find by phone' : step)))
})

test('an account without a password, such as an invited one, costs the same', async () => {
  const wrong = await workOf(create(), { email: 'sita@example.com' })
  const invited = create({ stored: { ...sita, passwordHash: null } })
  expect(await workOf(invited, { email: 'sita@example.com' })).toEqual(wrong)
})

test.each([
  ['whose password is changed', async () => ({ passwordHash: await makePasswords().hash('a new one') })],
  ['that is deleted', async () => ({ deletingAt: new Date(0) })]
])('an account %s during the comparison logs nobody in: the started session is ended', async (_what, later) => {
  const { logins, work } = create({ later: await later() })
  const login = logins.login({ email: 'sita@example.com' }, 'the right one', client)
  await expect(login).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(work).toContain('end session')
  expect(work).not.toContain('login')
})

test('a hash that a concurrent login renewed still counts as the same password', async () => {
  const { logins, work } = create({ later: { passwordHash: await makePasswords([], 5).hash('the right one') } })
  const login = logins.login({ email: 'sita@example.com' }, 'the right one', client)
  await expect(login).resolves.toMatchObject({ session: { sessionId: 's1' } })
  expect(work).not.toContain('end session')
})
