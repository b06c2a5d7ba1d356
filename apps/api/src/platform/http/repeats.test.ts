import { idempotencyHeader } from '@batti/contracts'
import { expect, test } from 'vitest'
import { createRepeats } from './repeats.ts'

/** A POST of an account under a name. */
const post = (userId: string, name: string) => ({
  method: 'POST',
  originalUrl: '/api/v1/rooms',
  headers: { [idempotencyHeader]: name },
  actor: { userId, sessionId: 'session', role: 'user' as const, permissions: [], name: userId }
})

test('thousands of calls of one account make no call of another forgotten', async () => {
  const repeats = createRepeats()
  await repeats.keep(post('ram', 'a'), Promise.resolve('Attic'))
  for (let call = 0; call < 5000; call += 1) await repeats.keep(post('hari', `${call}`), Promise.resolve(call))
  await expect(repeats.earlier(post('ram', 'a'))).resolves.toBe('Attic')
})

test('of one account the latest calls are remembered: more than may be in progress, and only so many', async () => {
  const repeats = createRepeats()
  const names = Array.from({ length: 300 }, (_, index) => `${index}`)
  for (const name of names) await repeats.keep(post('ram', name), Promise.resolve(name))
  const remembered = names.filter((name) => repeats.earlier(post('ram', name)) !== undefined)
  expect(remembered).toEqual(names.slice(-250))
})
