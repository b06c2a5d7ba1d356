import type { SwitchUpdateEvent } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { sessionUser } from '#web/lib/session/session-user.ts'
import { SwitchControlDialog } from './switch-control-dialog.tsx'

const device = boardRecord()
const report = (states: boolean[], changes: Partial<SwitchUpdateEvent> = {}): SwitchUpdateEvent => ({
  deviceMac: device.deviceMac,
  isOnline: true,
  update: { switch: states, speed: [0, 0, 0, 0], fanIndexes: [2] },
  cause: { by: 'button', from: 'board' },
  bootId: device.bootId,
  seq: 6,
  at: device.stateAt + 1000,
  ...changes
})

async function openDialog(monitorMay?: string[], shown = device) {
  const app = await createTestApp({ areas: ['devices', 'switches'] })
  if (monitorMay !== undefined) {
    const now = app.clock.now()
    const token = accessToken({ role: 'monitor', iatMs: now, expMs: now + 900_000 })
    const monitor = sessionUser.parse({ _id: 'm', role: 'monitor', permissions: monitorMay })
    app.session.signIn({ accessToken: token, refreshToken: 'r' }, monitor)
  }
  app.live.seed([shown])
  app.show(<SwitchControlDialog device={shown} names={{ 0: 'Ceiling lamp' }} presence={null} onClose={() => {}} />)
  const toggle = (index: number) => {
    const found = screen.getAllByRole('switch')[index]
    if (found === undefined) throw new Error(`no switch ${index}`)
    return found
  }
  const isOn = (index: number) => toggle(index).getAttribute('aria-checked') === 'true'
  return { ...app, toggle, isOn }
}

test('rows are numbered from 1, fans and sockets are tagged, a given name comes first', async () => {
  await openDialog()
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent)
  expect(rows).toEqual(['Ceiling lampSwitch 1', 'Switch 2', 'Switch 3 (Fan)', 'Switch 4 (Socket)'])
})

test('a tap shows the new value at once, locks the row, and sends one command', async () => {
  const { toggle, isOn, line } = await openDialog()
  fireEvent.click(toggle(1))
  expect(isOn(1)).toBe(true)
  fireEvent.click(toggle(1))
  expect(isOn(1)).toBe(true)
  expect(toggle(1).getAttribute('aria-busy')).toBe('true')
  expect(line.sent).toEqual([
    { event: 'toggle-switch', payload: { deviceMac: device.deviceMac, switchIndex: 1, state: true } }
  ])
  expect(screen.getByRole('button', { name: 'All ON' }).getAttribute('aria-disabled')).toBe('true')
})

test('the board’s report unlocks the row', async () => {
  const { toggle, isOn, line } = await openDialog()
  fireEvent.click(toggle(1))
  act(() => line.receive('switch-update', report([true, true, false, false])))
  await waitFor(() => expect(toggle(1).getAttribute('aria-busy')).toBeNull())
  expect(isOn(1)).toBe(true)
})

test('a fan that gets another speed is said to be set to it, not to be turned on again', async () => {
  const { line } = await openDialog()
  const cause = { by: 'user', from: 'web', userName: 'Sita' } as const
  const fan = (seq: number, on: boolean, speed: number) => {
    const update = { switch: [true, false, on, false], speed: [0, 0, speed, 0], fanIndexes: [2] }
    const { switch: states } = update
    act(() => line.receive('switch-update', report(states, { seq, update, switchIndex: 2, state: on, cause })))
  }
  fan(6, true, 100)
  await screen.findByText(/^Switch 3 was turned on by Sita/)
  fan(7, true, 140)
  await screen.findByText(/^Switch 3 was set to 140 by Sita/)
  fan(8, false, 0)
  await screen.findByText(/^Switch 3 was turned off by Sita/)
})

test('after four seconds without an answer the earlier state is back; a late report still corrects it', async () => {
  const { toggle, isOn, line, clock, endings } = await openDialog()
  fireEvent.click(toggle(1))
  act(() => clock.advance(4000))
  expect(isOn(1)).toBe(false)
  expect(toggle(1).getAttribute('aria-busy')).toBeNull()
  expect(endings).toMatchObject([{ end: { phase: 'no-answer' } }])
  act(() => line.receive('switch-update', report([true, true, false, false])))
  await waitFor(() => expect(isOn(1)).toBe(true))
})

test('an offline board answers at once: the earlier state is back with the server’s sentence', async () => {
  const { toggle, isOn, line, endings } = await openDialog()
  line.answerNext({ ok: false, code: 'DEVICE_OFFLINE', message: 'Living room wall is offline.' })
  fireEvent.click(toggle(1))
  await waitFor(() => expect(isOn(1)).toBe(false))
  expect(endings).toMatchObject([{ end: { phase: 'refused', message: 'Living room wall is offline.' } }])
})

test('a board that restarts for its update is not blamed on power or Wi-Fi until it is away for too long', async () => {
  const firmware = { id: 'u', version: '2.0.0', phase: 'reboot', percent: 100 } as const
  const { line, clock } = await openDialog(undefined, { ...device, firmware })
  const { deviceMac } = device
  const help = /^Check that the board has power/
  act(() => line.receive('update-from-device', { deviceMac, update: { isOnline: false }, at: clock.now() }))
  await screen.findByText('Updating to 2.0.0: Restarting')
  await screen.findAllByText('Unknown')
  expect(screen.queryByText(help)).toBeNull()
  act(() => clock.advance(5 * minuteMs))
  screen.getByText(help)
})

test('a press of the wall button shows, with its cause', async () => {
  const { isOn, line } = await openDialog()
  act(() => line.receive('switch-update', report([false, false, false, false], { switchIndex: 0, state: false })))
  await screen.findByText(/Ceiling lamp was turned off by the wall button/)
  expect(isOn(0)).toBe(false)
})

test('no row moves when the first cause is shown: its place was reserved', async () => {
  const { line } = await openDialog()
  const heightOf = (place: Element | null | undefined) => /\bmin-h-\S+/.exec(place?.className ?? '')?.[0]
  const before = screen.getByRole('list').parentElement?.lastElementChild
  act(() => line.receive('switch-update', report([false, false, false, false], { switchIndex: 0, state: false })))
  const told = await screen.findByText(/turned off by the wall button/)
  expect(heightOf(told)).toBeDefined()
  expect(heightOf(before)).toBe(heightOf(told))
})

test('All OFF is one command for the board', async () => {
  const { line } = await openDialog()
  fireEvent.click(screen.getByRole('button', { name: 'All OFF' }))
  expect(line.sent).toEqual([{ event: 'toggle-all-switches', payload: { deviceMac: device.deviceMac, state: false } }])
})

test('a fan’s speed can be set only while it is on', async () => {
  const { line } = await openDialog()
  expect(screen.queryByLabelText(/^Speed of/)).toBeNull()
  const running = report([true, false, true, false])
  act(() => line.receive('switch-update', { ...running, update: { ...running.update, speed: [0, 0, 140, 0] } }))
  // By its label: the thumb is placed by measuring, which jsdom cannot do, so that it stays invisible.
  const slider = await screen.findByLabelText('Speed of Switch 3')
  expect(slider).toHaveProperty('value', '140')
  expect(slider.getAttribute('max')).toBe('255')
  fireEvent.keyDown(slider, { key: 'ArrowRight' })
  expect(line.sent.at(-1)).toMatchObject({ event: 'set-fan-speed', payload: { switchIndex: 2, speed: 141 } })
})

test('without a connection no lamp is lit', async () => {
  const { line, queryClient } = await openDialog()
  act(() => line.setStatus('reconnecting'))
  expect(queryClient.getQueryData(['live-device', device.deviceMac])).toMatchObject({ isFresh: false })
  await waitFor(() => expect(document.querySelectorAll('.bg-on.text-on-ink')).toHaveLength(0))
})

test('a monitor who may only view has no switches', async () => {
  const { toggle } = await openDialog(['view devices', 'view switches'])
  expect(toggle(0).getAttribute('aria-disabled') ?? toggle(0).getAttribute('disabled')).not.toBeNull()
  expect(screen.queryByRole('slider')).toBeNull()
  expect(screen.queryByRole('button', { name: /^All|options/i })).toBeNull()
})

test('a monitor who may control switches has them, but no options: the server lets no monitor rename a switch', async () => {
  const { toggle } = await openDialog(['view devices', 'view switches', 'control switches'])
  expect(toggle(0).getAttribute('aria-disabled')).not.toBe('true')
  expect(screen.queryByRole('button', { name: /options/i })).toBeNull()
})
