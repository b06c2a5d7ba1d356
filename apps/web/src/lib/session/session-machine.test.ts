import { expect, test } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { accessToken } from '#web/test/tokens.ts'
import { isUsable, renewalDelayMs, renewalVerdict, restoreSession, startSession } from './session-machine.ts'

const now = 1_800_000_000_000
const minute = 60_000
const token = accessToken({ iatMs: now, expMs: now + 15 * minute })

test('a stored token and user are restored unchanged', () => {
  const session = restoreSession({ accessToken: token, refreshToken: 'r1', userInfo: JSON.stringify(sita) })
  expect(session).toMatchObject({
    kind: 'in',
    user: { name: 'Sita Thapa' },
    refreshToken: 'r1',
    expiresAtMs: now + 15 * minute
  })
})

test('with only a token, the user comes from its claims', () => {
  const admin = accessToken({ sub: 'bbbbbbbbbbbbbbbbbbbbbbbb', role: 'admin', expMs: now + minute })
  const session = restoreSession({ accessToken: admin, refreshToken: null, userInfo: null })
  expect(session).toMatchObject({ kind: 'in', user: { _id: 'bbbbbbbbbbbbbbbbbbbbbbbb', role: 'admin' } })
})

test('a role that is neither admin nor monitor is a normal user', () => {
  const session = restoreSession({
    accessToken: accessToken({ role: 'owner', expMs: now }),
    refreshToken: null,
    userInfo: JSON.stringify({ ...sita, role: 'superuser' })
  })
  expect(session).toMatchObject({ user: { role: 'user' } })
})

test.each(['nonsense', 'a.b.c', '', accessToken({ sub: '', expMs: now })])(
  'an invalid token (%s) signs nobody in',
  (text) => {
    expect(restoreSession({ accessToken: text, refreshToken: 'r', userInfo: JSON.stringify(sita) })).toEqual({
      kind: 'out'
    })
  }
)

test('the claims are used if the stored user cannot be read', () => {
  const session = restoreSession({ accessToken: token, refreshToken: null, userInfo: '{"name":' })
  expect(session).toMatchObject({ kind: 'in', user: { _id: sita._id } })
})

test('a token is renewed a minute before its end, a short-lived one at half of its life', () => {
  const long = startSession({ accessToken: token, refreshToken: 'r' }, sita, now)
  const short = startSession(
    { accessToken: accessToken({ iatMs: now, expMs: now + minute }), refreshToken: 'r' },
    sita,
    now
  )
  if (long.kind !== 'in' || short.kind !== 'in') throw new Error('not signed in')
  expect(renewalDelayMs(long, now)).toBe(14 * minute)
  expect(renewalDelayMs(short, now)).toBe(minute / 2)
  expect(renewalDelayMs(long, now + 20 * minute)).toBe(0)
})

test('so is the token of an earlier visit; one that does not tell its beginning counts as one of the usual life', () => {
  const delayOf = (stored: string) => {
    const session = restoreSession({ accessToken: stored, refreshToken: 'r', userInfo: null })
    return session.kind === 'in' ? renewalDelayMs(session, now) : null
  }
  expect(delayOf(token)).toBe(14 * minute)
  expect(delayOf(accessToken({ iatMs: now, expMs: now + minute }))).toBe(minute / 2)
  expect(delayOf(accessToken({ expMs: now + 15 * minute }))).toBe(14 * minute)
})

test('a machine whose clock is an hour ahead keeps a fresh session for its whole life', () => {
  const ahead = now + 60 * minute
  const session = startSession({ accessToken: token, refreshToken: 'r' }, sita, ahead)
  if (session.kind !== 'in') throw new Error('not signed in')
  expect(isUsable(session, ahead + 14 * minute)).toBe(true)
  expect(isUsable(session, ahead + 15 * minute)).toBe(false)
})

test('a refusal ends the session; no answer, a limit and a server error are retried', () => {
  expect([400, 401, 404].map((status) => renewalVerdict(status, 0))).toEqual(['over', 'over', 'over'])
  // 403: the address is blocked, which says nothing about the session.
  for (const status of [403, 408, 429, 500, 503]) expect(renewalVerdict(status, 1)).toEqual({ retryMs: 20_000 })
})

test('a lost answer is asked for again soon, less and less often', () => {
  expect([0, 1, 2, 3, 9].map((lost) => renewalVerdict(0, lost))).toEqual(
    [500, 2000, 5000, 20_000, 20_000].map((retryMs) => ({ retryMs }))
  )
})
