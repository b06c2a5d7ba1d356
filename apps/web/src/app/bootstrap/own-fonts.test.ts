import { createFakeClock } from '@batti/kit/testing'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ConnectionStatus } from '#web/lib/socket/connection-status.ts'
import { createStore } from '#web/lib/store.ts'
import type { Session } from '#web/lib/session/session-machine.ts'
import { memoryStorage } from '#web/test/memory-storage.ts'
import { takeOwnFontsWhenShown } from './own-fonts.ts'

function open(kind: Session['kind']) {
  const clock = createFakeClock()
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const storage = memoryStorage()
  const root = document.createElement('html')
  const { get, set, subscribe } = createStore<ConnectionStatus>('connecting')
  const connection = { getState: get, subscribe }
  const session = { getState: () => ({ kind }) as Session }
  takeOwnFontsWhenShown({ clock, connection, queryClient, session, storage }, root, 4000)
  const read = (what: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const done = queryClient.fetchQuery({ queryKey: [what], queryFn: () => promise }).catch(() => undefined)
    return {
      answer: async () => (resolve([]), await done),
      fail: async () => (reject(new Error('no answer')), await done)
    }
  }
  return {
    clock,
    read,
    connect: () => set('live'),
    fonts: () => [root.dataset['fonts'], storage.getItem('fonts')]
  }
}
const own = ['all', 'own']
const stillFallback = [undefined, null]

test('a page without a session takes its fonts at once', () => {
  expect(open('out').fonts()).toEqual(own)
})

test('a home takes them once all that it reads has arrived and it is connected', async () => {
  const { clock, read, connect, fonts } = open('in')
  expect(fonts()).toEqual(stillFallback)
  const [rooms, switches] = [read('rooms'), read('switches')]
  await rooms.answer()
  expect(fonts()).toEqual(stillFallback)
  await switches.answer()
  expect(fonts()).toEqual(stillFallback)
  connect()
  expect(fonts()).toEqual(stillFallback)
  clock.advance(500)
  expect(fonts()).toEqual(own)
})

test('a home that is connected first waits for its data', async () => {
  const { clock, read, connect, fonts } = open('in')
  connect()
  const rooms = read('rooms')
  expect(fonts()).toEqual(stillFallback)
  await rooms.answer()
  clock.advance(500)
  expect(fonts()).toEqual(own)
})

test('a home that gets no data takes them at the latest', async () => {
  const { clock, read, fonts } = open('in')
  await read('rooms').fail()
  clock.advance(3999)
  expect(fonts()).toEqual(stillFallback)
  clock.advance(1)
  expect(fonts()).toEqual(own)
})
