import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { Screen } from './switches.tsx'

const setRoom = { _id: 'r1', roomName: 'Garden' }
const board = boardRecord({ setRoom })
const lamp = (number: number) =>
  switchRecord({ _id: `s${number}`, switchName: `Lamp ${number}`, switchIndex: number % 4, roomId: setRoom })

afterEach(() => vi.unstubAllGlobals())

async function show(count: number, media: string) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined
  }))
  const app = await createTestApp({
    areas: ['rooms', 'devices', 'switches', 'on-times'],
    server: () => ({ status: 503, code: 'UNAVAILABLE', message: 'Away' })
  })
  app.live.seed([board])
  app.queryClient.setQueryData(queryKeys.devices, { devices: [board] })
  app.queryClient.setQueryData(
    queryKeys.mySwitches,
    Array.from({ length: count }, (_, number) => lamp(number + 1))
  )
  app.show(<Screen />)
  await screen.findAllByRole('switch')
  return app
}

test('many switches are rows on a phone, below their room’s heading with its count and All OFF', async () => {
  const { line } = await show(25, '(width < 40rem)')
  const garden = within(await screen.findByRole('region', { name: 'Garden' }))
  await garden.findByText('1 on')
  expect(screen.queryAllByRole('article')).toEqual([])
  expect(garden.getAllByRole('switch')).toHaveLength(25)
  fireEvent.click(garden.getByRole('button', { name: 'All OFF: Garden' }))
  expect(line.sent).toEqual([{ event: 'toggle-all-switches', payload: { deviceMac: board.deviceMac, state: false } }])
  // Each of them has its actions too.
  garden.getByRole('button', { name: 'Options of Lamp 7' })
  // For a part of the room, "all" would say too much.
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'lamp २५' } })
  expect(garden.getAllByRole('switch')).toHaveLength(1)
  expect(garden.queryByRole('button', { name: 'All OFF: Garden' })).toBeNull()
})

test.each([
  [24, '(width < 40rem)'],
  [25, '(width >= 64rem)']
])('%i switches are cards if there is %s', async (count, media) => {
  await show(count, media)
  expect(screen.getAllByRole('article')).toHaveLength(count)
})

test('a screen reader announces how many switches a search found', async () => {
  await show(3, '')
  const search = (text: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } })
  const said = () =>
    [...document.querySelectorAll('[aria-live="polite"]')].map(({ textContent }) => textContent).join('')
  expect(said()).toBe('')
  search('Lamp 2')
  expect(said()).toBe('1 switch')
  search('xyz')
  expect(said()).toBe('Nothing matches')
  search('')
  expect(said()).toBe('')
})

test('a key is shown before the switches are filtered', async () => {
  await show(30, '')
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  const count = () => screen.getAllByRole('switch').length
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false)
  onTestFinished(() => void Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true))
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Lamp 2')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  expect(field.value).toBe('Lamp 2')
  expect(count()).toBe(30)
  await waitFor(() => expect(count()).toBeLessThan(30))
})
