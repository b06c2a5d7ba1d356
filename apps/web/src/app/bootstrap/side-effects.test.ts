import { screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useAccount } from '#web/features/accounts/api/get-account.ts'
import { keepDraft, keepTyped } from '#web/features/pairing/typed-draft.ts'
import { boardRecord, sita } from '#web/test/fixtures.ts'
import { tabStorage } from '#web/lib/form/tab-storage.ts'
import { notifyOtherTabs } from '#web/lib/api/other-tabs.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { startSideEffects } from './side-effects.ts'

const now = 1_800_000_000_000
const tokens = (sub: string) => ({
  accessToken: accessToken({ sub, iatMs: now, expMs: now + 900_000 }),
  refreshToken: sub
})
const somebodyElse = { ...sita, _id: 'bbbbbbbbbbbbbbbbbbbbbbbb' }

test('the socket is open from login to logout', async () => {
  const app = await createTestApp()
  const start = vi.spyOn(app.connection, 'start')
  const stop = vi.spyOn(app.connection, 'stop')
  const end = startSideEffects(app, window)
  expect(start).not.toHaveBeenCalled()
  app.session.signIn(tokens('a'), sita)
  expect(start).toHaveBeenCalledExactlyOnceWith(sita._id)
  app.session.end('logout')
  expect(stop).toHaveBeenCalledOnce()
  end()
})

test('another user finds no data of the previous one', async () => {
  const app = await createTestApp()
  const end = startSideEffects(app, window)
  app.session.signIn(tokens('a'), sita)
  app.live.seed([boardRecord()])
  app.commander.toggle(boardRecord().deviceMac, 0, true)
  app.session.signIn(tokens('b'), somebodyElse)
  expect(app.queryClient.getQueryCache().getAll()).toEqual([])
  expect(app.commander.getState()).toEqual({})
  end()
})

test('after a logout nothing that was typed is left in the tab', async () => {
  const app = await createTestApp()
  const end = startSideEffects(app, window)
  app.session.signIn(tokens('a'), sita)
  const form = new FormData()
  form.set('ssid', 'Himal-2G')
  keepTyped(tabStorage, form, sita._id)
  keepDraft(tabStorage, form, sita._id)
  expect(JSON.stringify(window.sessionStorage)).toContain('Himal-2G')
  app.session.end('logout')
  expect(window.sessionStorage).toHaveLength(0)
  end()
})

test('a user who logs in again on the same page gets fresh data', async () => {
  const app = await createTestApp()
  const end = startSideEffects(app, window)
  const [start, reconnect] = [vi.spyOn(app.connection, 'start'), vi.spyOn(app.connection, 'reconnect')]
  app.session.keepTyped()
  app.session.signIn(tokens('a'), sita)
  app.queryClient.setQueryData(['rooms'], ['Kitchen'])
  app.session.end('expired')
  expect(app.queryClient.getQueryData(['rooms'])).toEqual(['Kitchen'])
  app.session.signIn(tokens('b'), sita)
  expect(app.queryClient.getQueryState(['rooms'])?.isInvalidated).toBe(true)
  expect(start).toHaveBeenCalledOnce()
  expect(reconnect).toHaveBeenCalledOnce()
  app.session.end('expired')
  app.session.signIn(tokens('c'), somebodyElse)
  expect(app.queryClient.getQueryCache().getAll()).toEqual([])
  end()
})

test('a change in another tab causes a refetch; a change in this one does not cause a second', async () => {
  const app = await createTestApp()
  const end = startSideEffects(app, window)
  app.queryClient.setQueryData(['rooms', 'list'], ['Kitchen'])
  app.queryClient.setQueryData(['logs'], [])
  const isOld = (key: string[]) => app.queryClient.getQueryState(key)?.isInvalidated
  // Channels keep the order of messages: a second refetch would have happened by then.
  notifyOtherTabs([['logs']])
  const otherTab = new BroadcastChannel('batti-changes')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of its origin alone
  otherTab.postMessage({ from: performance.timeOrigin + 1, touches: [['rooms']] })
  await expect.poll(() => isOld(['rooms', 'list'])).toBe(true)
  expect(isOld(['logs'])).toBe(false)
  otherTab.close()
  end()
})

test('a browser without BroadcastChannel starts as well', async () => {
  vi.stubGlobal('BroadcastChannel', function refused() {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const end = startSideEffects(await createTestApp(), window)
  expect(() => notifyOtherTabs([['rooms']])).not.toThrow()
  end()
})

test('a page that was suspended shows nothing as live until its snapshots are back', async () => {
  const app = await createTestApp()
  const refresh = vi.spyOn(app.connection, 'refresh')
  const end = startSideEffects(app, window)
  app.live.seed([boardRecord()])
  const isFresh = () =>
    app.queryClient.getQueryData<{ isFresh: boolean }>(['live-device', boardRecord().deviceMac])?.isFresh
  app.clock.advance(60_000)
  expect(isFresh()).toBe(true)
  // Suspended: time passes, and no timer runs.
  app.clock.suspend(60_000)
  app.clock.advance(5000)
  expect(isFresh()).toBe(false)
  expect(refresh).toHaveBeenCalledOnce()
  end()
})

test('a lost connection is retried when the window gets the focus or the network returns', async () => {
  const app = await createTestApp()
  const reconnect = vi.spyOn(app.connection, 'reconnect')
  const end = startSideEffects(app, window)
  window.dispatchEvent(new Event('focus'))
  window.dispatchEvent(new Event('online'))
  expect(reconnect).toHaveBeenCalledTimes(2)
  end()
  window.dispatchEvent(new Event('focus'))
  expect(reconnect).toHaveBeenCalledTimes(2)
})

test('a session restored from its token alone loads the user', async () => {
  const app = await createTestApp({
    server: () => ({ data: { ...sita, name: 'Sita', createdAt: '2026-01-01T00:00:00.000Z' } })
  })
  const end = startSideEffects(app, window)
  app.session.signIn(tokens('a'), { ...sita, name: '', email: '' })
  await expect.poll(() => app.session.getState()).toMatchObject({ user: { name: 'Sita' } })
  end()
})

test('a name that was changed on another phone is taken over', async () => {
  const renamed = { ...sita, name: 'Sita Sharma', createdAt: '2026-01-01T00:00:00.000Z' }
  const app = await createTestApp({ server: () => ({ data: renamed }) })
  const end = startSideEffects(app, window)
  app.session.signIn(tokens('a'), sita)
  app.line.receive('account-changed', { role: 'user', permissions: [] })
  await expect.poll(() => app.session.getState()).toMatchObject({ user: { name: 'Sita Sharma' } })
  end()
})

test('an open profile shows what another phone has changed of the account, and reads it once', async () => {
  const account = { ...sita, createdAt: '2026-01-01T00:00:00.000Z' }
  const answers = [account, { ...account, name: 'Sita Sharma' }]
  const app = await createTestApp({ server: () => ({ data: answers.shift() }) })
  const end = startSideEffects(app, window)
  onTestFinished(end)
  app.session.signIn(tokens('a'), sita)
  const profile = createElement(function Profile() {
    return useAccount().data?.name
  })
  app.show(profile)
  await screen.findByText(sita.name)
  app.line.receive('account-changed', { role: 'user', permissions: [] })
  await screen.findByText('Sita Sharma')
  expect(app.session.getState()).toMatchObject({ user: { name: 'Sita Sharma' } })
  expect(app.requests).toHaveLength(2)
})

test('a profile that is opened later shows what another phone has changed of the account', async () => {
  const app = await createTestApp({ server: () => ({ data: { ...sita, createdAt: '2026-01-01T00:00:00.000Z' } }) })
  const end = startSideEffects(app, window)
  onTestFinished(end)
  app.session.signIn(tokens('a'), sita)
  app.queryClient.setQueryData(['account'], { ...sita, phone: '+9779811111111' })
  app.line.receive('account-changed', { role: 'user', permissions: [] })
  expect(app.queryClient.getQueryState(['account'])?.isInvalidated).toBe(true)
})

test('a monitor’s permissions follow the server: on an event, and after a reconnection', async () => {
  const rights = { role: 'monitor' as const, permissions: ['view users', 'view logs'] }
  const app = await createTestApp({
    server: () => ({ data: { ...sita, ...rights, createdAt: '2026-01-01T00:00:00.000Z' } })
  })
  const end = startSideEffects(app, window)
  app.session.signIn(tokens('a'), { ...sita, role: 'monitor', permissions: ['view devices'] })
  // Permissions stored in the browser are not trusted.
  await expect.poll(() => app.session.getState()).toMatchObject({ user: rights })
  app.queryClient.setQueryData(['users', 'list'], ['Anil'])
  app.line.receive('account-changed', { role: 'monitor', permissions: ['view logs'] })
  expect(app.session.getState()).toMatchObject({ user: { permissions: ['view logs'], name: sita.name } })
  app.clock.advance(1)
  expect(app.queryClient.getQueryData(['users', 'list'])).toBeUndefined()
  app.line.setStatus('reconnecting')
  app.line.setStatus('live')
  await expect.poll(() => app.session.getState()).toMatchObject({ user: rights })
  end()
})

test('a theme and a language that were chosen in another tab apply here too', async () => {
  const app = await createTestApp()
  const end = startSideEffects(app, window)
  onTestFinished(end)
  const chooseElsewhere = (key: 'theme' | 'language', value: string | null) => {
    if (value === null) app.storage.removeItem(key)
    else app.storage.setItem(key, value)
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: value }))
  }
  chooseElsewhere('theme', 'dark')
  expect([app.theme.getState(), document.documentElement.dataset['theme']]).toEqual(['dark', 'dark'])
  chooseElsewhere('theme', null)
  expect([app.theme.getState(), document.documentElement.dataset['theme']]).toEqual(['system', 'light'])
  chooseElsewhere('language', 'ne')
  await expect.poll(() => app.language.getState().language).toBe('ne')
  expect(document.documentElement.lang).toBe('ne')
})

test('Back to a page that was kept as it was left shows nothing of a person who has logged out since', async () => {
  const app = await createTestApp()
  onTestFinished(startSideEffects(app, window))
  app.session.signIn(tokens('a'), sita)
  app.queryClient.setQueryData(['rooms'], ['Kitchen'])
  for (const key of ['accessToken', 'refreshToken', 'userInfo']) app.storage.removeItem(key)
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(app.session.getState().kind).toBe('out')
  expect(app.queryClient.getQueryCache().getAll()).toEqual([])
})
