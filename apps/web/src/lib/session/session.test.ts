import { expect, test, vi } from 'vitest'
import { createFakeClock } from '@batti/kit/testing'
import { sita } from '#web/test/fixtures.ts'
import { memoryStorage } from '#web/test/memory-storage.ts'
import { accessToken } from '#web/test/tokens.ts'
import { CancelledError } from '#web/lib/api/api-error.ts'
import type { TokenPair } from './session-machine.ts'
import { createSession, type RenewCall } from './session.ts'

const minute = 60_000

function browser(renewCall: RenewCall = async () => ({ status: 401 })) {
  const clock = createFakeClock()
  const storage = memoryStorage()
  const tokenOf = (minutes: number) =>
    accessToken({ iatMs: clock.now(), expMs: clock.now() + minutes * minute, name: String(clock.now()) })
  const tab = (renew: RenewCall = renewCall) => {
    const session = createSession({ storage, clock, renewCall: renew, withTabLock: (task) => task() })
    const endings: string[] = []
    session.onEnd((reason) => endings.push(reason))
    return { session, endings }
  }
  return { clock, storage, tokenOf, tab }
}
const signedIn = (session: { getState: () => { kind: string } }) => session.getState().kind === 'in'

test('signing in stores both tokens and the user under the specified keys', () => {
  const { storage, tokenOf, tab } = browser()
  const { session } = tab()
  session.signIn({ accessToken: tokenOf(15), refreshToken: 'r1' }, sita)
  expect(Object.keys(storage.values()).toSorted()).toEqual(['accessToken', 'refreshToken', 'userInfo'])
  expect(JSON.parse(storage.getItem('userInfo') ?? '')).toMatchObject({ name: 'Sita Thapa' })
})

test('an invalid stored token is removed with the rest of the session', () => {
  const { storage, tab } = browser()
  storage.setItem('accessToken', 'nonsense')
  storage.setItem('userInfo', JSON.stringify(sita))
  expect(signedIn(tab().session)).toBe(false)
  expect(storage.values()).toEqual({})
})

test('the token is renewed in the background before it expires', async () => {
  const b = browser()
  const renew = vi.fn<RenewCall>(async () => ({ accessToken: b.tokenOf(15), refreshToken: 'r2' }))
  const { session } = b.tab(renew)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  b.clock.advance(14 * minute - 1)
  expect(renew).not.toHaveBeenCalled()
  b.clock.advance(1)
  await expect.poll(() => b.storage.getItem('refreshToken')).toBe('r2')
  expect(renew).toHaveBeenCalledExactlyOnceWith('r1')
  expect(session.currentToken()).toBe(b.storage.getItem('accessToken'))
})

test('the token of an earlier visit is renewed in the background, too', () => {
  const b = browser()
  b.tab().session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  const renew = vi.fn<RenewCall>(async () => ({ status: 0 }))
  b.tab(renew)
  b.clock.advance(14 * minute)
  expect(renew).toHaveBeenCalledExactlyOnceWith('r1')
})

test('a token that was renewed early is renewed when it runs out itself, not when the one before would have', async () => {
  const b = browser()
  const renew = vi.fn<RenewCall>(async () => ({ accessToken: b.tokenOf(15), refreshToken: 'r2' }))
  const { session } = b.tab(renew)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  b.clock.advance(5 * minute)
  await session.renew()
  b.clock.advance(14 * minute - 1)
  expect(renew).toHaveBeenCalledTimes(1)
  b.clock.advance(1)
  expect(renew).toHaveBeenCalledTimes(2)
})

test('a second tab uses what the first one renewed instead of asking again', async () => {
  const b = browser()
  const first = b.tab(async () => ({ accessToken: b.tokenOf(15), refreshToken: 'r2' }))
  first.session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  const renewInSecond = vi.fn<RenewCall>(async () => ({ status: 401 }))
  const second = b.tab(renewInSecond)
  b.clock.advance(5 * minute)
  await first.session.renew()
  await second.session.renew()
  expect(renewInSecond).not.toHaveBeenCalled()
  expect(second.session.currentToken()).toBe(first.session.currentToken())
})

test('a valid token is sent as it is, an expired one by no public call, and none by a stranger', async () => {
  const b = browser()
  const renew = vi.fn<RenewCall>(async () => ({ status: 401 }))
  const { session } = b.tab(renew)
  expect([await session.authorize(), session.currentToken()]).toEqual([null, null])
  const valid = b.tokenOf(15)
  session.signIn({ accessToken: valid, refreshToken: 'r1' }, sita)
  expect([await session.authorize(), session.currentToken()]).toEqual([valid, valid])
  expect(renew).not.toHaveBeenCalled()
  b.storage.setItem('accessToken', b.tokenOf(-1))
  session.adopt()
  expect(session.currentToken()).toBeNull()
})

test('an expired token is renewed before a call is sent', async () => {
  const b = browser()
  const { session } = b.tab(async () => ({ accessToken: b.tokenOf(15), refreshToken: 'r2' }))
  b.storage.setItem('accessToken', b.tokenOf(-1))
  b.storage.setItem('refreshToken', 'r1')
  session.adopt()
  expect(await session.authorize()).toBe(b.storage.getItem('accessToken'))
  expect(signedIn(session)).toBe(true)
})

test('an expired token that cannot be renewed removes everything, ends the session and cancels the call', async () => {
  const b = browser(async () => ({ status: 401 }))
  const { session, endings } = b.tab()
  b.storage.setItem('accessToken', b.tokenOf(-1))
  b.storage.setItem('userInfo', JSON.stringify(sita))
  session.adopt()
  await expect(session.authorize()).rejects.toBeInstanceOf(CancelledError)
  expect(b.storage.values()).toEqual({})
  expect(endings).toEqual(['expired'])
})

test('an unreachable server ends no session; the renewal is tried again', async () => {
  const b = browser()
  let isReachable = false
  const renew = vi.fn<RenewCall>(async () =>
    isReachable ? { accessToken: b.tokenOf(15), refreshToken: 'r2' } : { status: 0 }
  )
  const { session } = b.tab(renew)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  await session.renew()
  expect(signedIn(session)).toBe(true)
  isReachable = true
  b.clock.advance(20_000)
  await expect.poll(() => b.storage.getItem('refreshToken')).toBe('r2')
  expect(renew).toHaveBeenCalledTimes(2)
})

test('a renewal whose answer is lost is repeated while the server still returns the same answer', async () => {
  const b = browser()
  const renew = vi.fn<RenewCall>(async () => ({ status: 0 }))
  const { session } = b.tab(renew)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  await session.renew()
  for (const [tried, waitMs] of [500, 2000, 5000, 20_000].entries()) {
    b.clock.advance(waitMs - 1)
    expect(renew).toHaveBeenCalledTimes(tried + 1)
    b.clock.advance(1)
    expect(renew).toHaveBeenCalledTimes(tried + 2)
    // The one that this has started.
    await session.renew()
  }
})

test('a 401 tries another token once, and ends the session if there is none', async () => {
  const b = browser(async () => ({ status: 401 }))
  const { session, endings } = b.tab()
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  expect(await session.rejected(session.currentToken() ?? '', 'first')).toBe(false)
  expect(endings).toEqual(['expired'])
  expect(b.storage.values()).toEqual({})
})

test('a 401 for the other token ends the session: no third one is tried', async () => {
  const b = browser()
  const renew = vi.fn<RenewCall>(async () => ({ accessToken: b.tokenOf(15), refreshToken: 'r2' }))
  const { session, endings } = b.tab(renew)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  b.clock.advance(minute)
  expect(await session.rejected(session.currentToken() ?? '', 'first')).toBe(true)
  expect(endings).toEqual([])
  expect(await session.rejected(session.currentToken() ?? '', 'second')).toBe(false)
  expect(endings).toEqual(['expired'])
  expect(renew).toHaveBeenCalledExactlyOnceWith('r1')
})

test('a 401 for a token that another tab has replaced meanwhile ends nothing', async () => {
  const b = browser()
  const { session, endings } = b.tab()
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  expect(await session.rejected('an older token', 'first')).toBe(true)
  expect(endings).toEqual([])
})

test('a session that ends by itself keeps the input on the page, for its own user only', async () => {
  const b = browser()
  const { session, endings } = b.tab()
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  const isSaved = session.keepTyped()
  await session.rejected(session.currentToken() ?? '', 'first')
  expect(session.getState()).toEqual({ kind: 'over', user: sita })
  expect(b.storage.values()).toEqual({})
  expect(session.currentToken()).toBeNull()
  await expect(session.authorize()).rejects.toBeInstanceOf(CancelledError)
  expect(endings).toEqual([])
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r2' }, sita)
  expect(signedIn(session)).toBe(true)
  isSaved()
  await session.rejected(session.currentToken() ?? '', 'first')
  expect(session.getState()).toEqual({ kind: 'out' })
  expect(endings).toEqual(['expired'])
})

test('a user who logs out, or discards the input, is signed out at once', () => {
  const b = browser()
  const { session, endings } = b.tab()
  session.keepTyped()
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  session.end('logout')
  expect(session.getState()).toEqual({ kind: 'out' })
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r2' }, sita)
  session.end('expired')
  session.end('logout')
  expect(session.getState()).toEqual({ kind: 'out' })
  expect(endings).toEqual(['logout', 'logout'])
})

test('a logout in another tab signs this one out too', () => {
  const b = browser()
  const [here, there] = [b.tab(), b.tab()]
  here.session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  there.session.adopt()
  expect(signedIn(there.session)).toBe(true)
  here.session.end('logout')
  there.session.adopt()
  expect(signedIn(there.session)).toBe(false)
  expect(there.endings).toEqual(['account-changed'])
})

test('what is typed stays also when another tab logs out', () => {
  const b = browser()
  const { session, endings } = b.tab()
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  session.keepTyped()
  b.storage.removeItem('accessToken')
  session.adopt()
  expect(session.getState()).toEqual({ kind: 'over', user: sita })
  expect(endings).toEqual([])
})

test('who is signed out is not signed out again', () => {
  const { session, endings } = browser().tab()
  session.end('expired')
  expect([endings, session.lastEnding()]).toEqual([[], null])
})

test('a renewal that is answered after the logout does not sign anybody in again', async () => {
  const b = browser()
  let answer: (pair: TokenPair) => void = () => {}
  const { session } = b.tab(() => new Promise((resolve) => (answer = resolve)))
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  const renewal = session.renew()
  session.end('logout')
  answer({ accessToken: b.tokenOf(15), refreshToken: 'r2' })
  await renewal
  expect(signedIn(session)).toBe(false)
  expect(b.storage.values()).toEqual({})
})

test('a renewal that is answered after another login does not replace that', async () => {
  const b = browser()
  const answer = Promise.withResolvers<TokenPair>()
  const { session } = b.tab(() => answer.promise)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  const renewed = session.renew()
  session.end('logout')
  const own = b.tokenOf(16)
  session.signIn({ accessToken: own, refreshToken: 'of hari' }, { ...sita, _id: 'hari' })
  answer.resolve({ accessToken: b.tokenOf(17), refreshToken: 'r2' })
  await renewed
  expect([session.currentToken(), b.storage.getItem('refreshToken')]).toEqual([own, 'of hari'])
})

test('on a machine with a wrong clock, what another tab stores of the user does not end the token early', () => {
  const b = browser()
  const { session } = b.tab()
  const ofTheServer = (minutes: number) => b.clock.now() + (minutes - 60) * minute
  const token = accessToken({ iatMs: ofTheServer(0), expMs: ofTheServer(15) })
  session.signIn({ accessToken: token, refreshToken: 'r1' }, sita)
  b.storage.setItem('userInfo', JSON.stringify({ ...sita, name: 'Sita Rai' }))
  session.adopt()
  expect(session.getState()).toMatchObject({ user: { name: 'Sita Rai' } })
  expect(session.currentToken()).toBe(token)
})

test('a record of the signed-in user is kept; a late one of the previous user does not change who that is', () => {
  const b = browser()
  const { session } = b.tab()
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r2' }, { ...sita, _id: 'b'.repeat(24), name: 'Bishnu' })
  session.updateUser({ ...sita, name: 'Sita Rai' })
  expect(session.getState()).toMatchObject({ user: { name: 'Bishnu' } })
  expect(JSON.parse(b.storage.getItem('userInfo') ?? '')).toMatchObject({ name: 'Bishnu' })
  session.updateUser({ ...sita, _id: 'b'.repeat(24), name: 'Bishnu Rai' })
  expect(session.getState()).toMatchObject({ user: { name: 'Bishnu Rai' } })
  expect(JSON.parse(b.storage.getItem('userInfo') ?? '')).toMatchObject({ name: 'Bishnu Rai' })
})

test('while a call that ends every session runs, no refusal ends this one; afterwards it is renewed as before', async () => {
  const b = browser()
  const renew = vi.fn<RenewCall>(async () => ({ status: 401 }))
  const { session, endings } = b.tab(renew)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  const release = session.hold()
  expect(await session.rejected(session.currentToken() ?? '', 'first')).toBe(false)
  b.clock.advance(15 * minute)
  await session.renew()
  expect(renew).not.toHaveBeenCalled()
  expect(endings).toEqual([])
  release()
  b.clock.advance(0)
  await expect.poll(() => endings).toEqual(['expired'])
})

test('a renewal that started before it does not end the session either, when it is refused', async () => {
  const b = browser()
  const answer = Promise.withResolvers<{ status: number }>()
  const { session, endings } = b.tab(() => answer.promise)
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  const renewed = session.renew()
  const release = session.hold()
  answer.resolve({ status: 401 })
  await renewed
  expect(endings).toEqual([])
  session.end('account-deleted')
  release()
  expect(endings).toEqual(['account-deleted'])
})

test('an ended session in another tab does not end one that is held', () => {
  const b = browser()
  const [first, second] = [b.tab(), b.tab()]
  first.session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  second.session.adopt()
  const [release, releaseOther] = [first.session.hold(), second.session.hold()]
  second.session.end('logout')
  first.session.adopt()
  expect(first.endings).toEqual([])
  first.session.end('account-deleted')
  release()
  expect(first.endings).toEqual(['account-deleted'])

  first.session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r2' }, sita)
  second.session.adopt()
  first.session.end('logout')
  second.session.adopt()
  expect(second.endings).toEqual(['logout'])
  // The call that it was held for has failed.
  releaseOther()
  expect(second.endings).toEqual(['logout', 'account-changed'])
})

test('the reason for the end of a session is remembered until the next login', () => {
  const b = browser()
  const { session } = b.tab()
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r1' }, sita)
  expect(session.lastEnding()).toBeNull()
  session.end('account-deleted')
  expect(session.lastEnding()).toBe('account-deleted')
  session.signIn({ accessToken: b.tokenOf(15), refreshToken: 'r2' }, sita)
  expect(session.lastEnding()).toBeNull()
})
