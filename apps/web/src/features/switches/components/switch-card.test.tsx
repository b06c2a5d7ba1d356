import { minuteMs } from '@batti/kit/durations'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { SwitchCard } from './switch-card.tsx'

const device = boardRecord({ onlineChangedAt: '2026-11-21T08:20:00.000Z' })
const lamp = switchRecord({ _id: 'eeeeeeeeeeeeeeeeeeeeeee1', switchName: 'Reading lamp', switchIndex: 1 })

async function show(record = lamp, { server, board = device }: { server?: TestServer; board?: typeof device } = {}) {
  const app = await createTestApp({ areas: ['devices', 'switches'], ...(server && { server }) })
  app.live.seed([board])
  app.show(<SwitchCard record={record} command="id" />)
  return app
}
const toggle = () => screen.getByRole('switch')
const report = (states: boolean[]) => ({
  deviceMac: device.deviceMac,
  isOnline: true,
  update: { switch: states, speed: [0, 0, 90, 0], fanIndexes: [2] },
  cause: { by: 'user', from: 'web' } as const,
  bootId: device.bootId,
  seq: 6,
  at: device.stateAt + 1000
})

test('shows name, board, MAC, and that its room is unknown', async () => {
  await show()
  expect(toggle().getAttribute('aria-label')).toBe('Reading lamp of Living room wall')
  for (const text of ['Reading lamp', 'Living room wall', device.deviceMac, 'Unknown Room', 'Off', 'Online'])
    screen.getByText(text)
})

test('a switch without a name is called by its place', async () => {
  await show({ ...lamp, switchName: ' ' })
  await screen.findByText('Switch 2')
})

test('a board that is away for its update restarts, also where only its record tells of the update', async () => {
  const firmware = { id: 'u', version: '2.0.0', phase: 'reboot', percent: 100 } as const
  const { line, clock } = await show(lamp, { board: { ...device, firmware } })
  act(() =>
    line.receive('update-from-device', { deviceMac: device.deviceMac, update: { isOnline: false }, at: clock.now() })
  )
  await screen.findByText('Restarting')
  act(() => clock.advance(5 * minuteMs))
  screen.getByText(/^Offline since /)
})

test('a press sends toggleSwitch, shows the wanted state, and is locked until the board reports it', async () => {
  const { line } = await show()
  fireEvent.click(toggle())
  expect(toggle().getAttribute('aria-checked')).toBe('true')
  expect(toggle().getAttribute('aria-disabled')).toBe('true')
  screen.getByText('Turning on')
  fireEvent.click(toggle())
  expect(line.sent).toEqual([{ event: 'toggleSwitch', payload: { switchId: lamp._id, state: true } }])
  act(() => line.receive('switch-update', report([true, true, false, false])))
  await waitFor(() => expect(toggle().getAttribute('aria-disabled')).toBeNull())
  screen.getByText('On')
})

test('after four seconds without an answer it says so and shows the earlier state; later the message disappears', async () => {
  const { clock } = await show()
  fireEvent.click(toggle())
  act(() => clock.advance(4000))
  await screen.findByText('⚠️ No response from device.')
  expect(toggle().getAttribute('aria-checked')).toBe('false')
  act(() => clock.advance(6000))
  await screen.findByText('Off')
})

test('a refused command says that it failed', async () => {
  const { line } = await show()
  line.answerNext({ ok: false, code: 'TOO_MANY_REQUESTS', message: 'Slower, please.' })
  fireEvent.click(toggle())
  await screen.findByText('Toggle failed.')
})

test('when offline it is not a switch: a press opens help', async () => {
  const { line } = await show(lamp, { board: boardRecord({ isOnline: false }) })
  expect(screen.queryByRole('switch')).toBeNull()
  screen.getByText(/^Offline/)
  fireEvent.click(screen.getByRole('button', { name: 'Reading lamp of Living room wall' }))
  await screen.findByRole('dialog', { name: 'Living room wall is offline' })
  expect(line.sent).toEqual([])
})

test('shows no light while the page is disconnected', async () => {
  const { line } = await show({ ...lamp, switchIndex: 0 })
  screen.getByText('On')
  act(() => line.setStatus('reconnecting'))
  await waitFor(() => expect(screen.queryByText('On')).toBeNull())
  screen.getByText('Unknown')
  expect(screen.getByRole('switch', { checked: false }).getAttribute('aria-describedby')).toBe(
    screen.getByText('Unknown').id
  )
})

test('a fan that is on has its speed as a slider, sent to the board', async () => {
  const { line } = await show(
    { ...lamp, switchIndex: 2, type: 'fan' },
    { board: boardRecord({ switch: [false, false, true, false], speed: [0, 0, 90, 0] }) }
  )
  screen.getByText('Speed 90')
  fireEvent.change(screen.getByRole('slider', { name: 'Speed of Reading lamp' }), { target: { value: '120' } })
  expect(line.sent).toEqual([
    { event: 'set-fan-speed', payload: { deviceMac: device.deviceMac, switchIndex: 2, speed: 120 } }
  ])
})

test('the heart changes the favourite without toggling', async () => {
  const { line, requests } = await show(lamp, { server: () => ({ data: { ...lamp, isFavorite: false } }) })
  const heart = screen.getByRole('button', { name: 'Favourite: Reading lamp' })
  expect(heart.getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(heart)
  await waitFor(() => expect(requests.some(({ body }) => body === '{"isFavorite":false}')).toBe(true))
  expect(line.sent).toEqual([])
})

test('half a new name is not lost to Escape without asking', async () => {
  await show(lamp, { server: () => ({ data: lamp }) })
  fireEvent.click(screen.getByRole('button', { name: 'Options of Reading lamp' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  fireEvent.change(name, { target: { value: 'Reading' } })
  fireEvent.keyDown(name, { key: 'Escape' })
  fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByRole('textbox', { name: 'Name' })).toBe(name)
  fireEvent.keyDown(name, { key: 'Escape' })
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull())
})
