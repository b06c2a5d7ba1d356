import { act, renderHook, waitFor } from '@testing-library/react'
import { toast, useToasterStore } from 'react-hot-toast'
import { afterEach, expect, test } from 'vitest'
import type { Ending } from '#web/lib/live/command-machine.ts'
import { notify } from '#web/lib/notify.ts'
import { announceEnding } from './announce-ending.ts'

afterEach(() => act(() => toast.remove()))

const refusalOf = (mac: string, code: string): Ending => ({
  mac,
  request: 1,
  end: { phase: 'refused', request: 1, atMs: 0, code, message: '' }
})
const said = () => {
  const { result } = renderHook(() => useToasterStore())
  return () => result.current.toasts.map(({ message }) => message)
}
async function announce(...endings: Ending[]) {
  for (const ending of endings)
    announceEnding(ending, { say: (id) => id, words: (message) => message, device: navigator })
  // A later announcement comes after them.
  notify.info('the end')
  const texts = said()
  await waitFor(() => expect(texts()).toContain('the end'))
  await act(async () => {})
  return texts().filter((text) => text !== 'the end')
}

test('presses on two disconnected boards show one toast', async () => {
  const texts = await announce(refusalOf('AA', 'NOT_CONNECTED'), refusalOf('BB', 'NOT_CONNECTED'))
  expect(texts).toEqual(['shell.notConnected'])
})

test('two refusing boards show two toasts', async () => {
  const texts = await announce(refusalOf('AA', 'NO_ANSWER'), refusalOf('BB', 'NO_ANSWER'))
  expect(texts).toHaveLength(2)
})

test('equal messages without an id share one toast', async () => {
  const texts = said()
  act(() => {
    notify.error('Could not be saved.')
    notify.error('Could not be saved.')
    notify.info('another')
  })
  await waitFor(() => expect(texts()).toContain('another'))
  expect(texts()).toEqual(['another', 'Could not be saved.'])
})
