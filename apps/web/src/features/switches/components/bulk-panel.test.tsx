import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { BulkPanel } from './bulk-panel.tsx'

const near = boardRecord({ switch: [false, false], speed: [0, 0] })
const far = boardRecord({
  _id: 'dddddddddddddddddddddd02',
  deviceMac: '34:98:7A:0C:51:E3',
  switch: [false],
  speed: [0],
  isOnline: false
})
const nameOf = (device: { _id: string }, index: number) => `${device._id === near._id ? 'near' : 'far'} ${index + 1}`
const report = (states: boolean[], seq: number) => ({
  deviceMac: near.deviceMac,
  isOnline: true,
  update: { switch: states, speed: [0, 0], fanIndexes: [] },
  cause: { by: 'user', from: 'web' } as const,
  bootId: near.bootId,
  seq,
  at: near.stateAt + seq
})

test('all on shows the result of each switch, and retries only those that failed', async () => {
  const { line, live, clock, show } = await createTestApp({ areas: ['devices', 'switches'] })
  live.seed([near, far])
  show(<BulkPanel devices={[near, far]} nameOf={nameOf} />)

  fireEvent.click(screen.getByRole('button', { name: 'All ON' }))
  // One command for the online board, none for the offline one.
  expect(line.sent).toEqual([{ event: 'toggle-all-switches', payload: { deviceMac: near.deviceMac, state: true } }])
  screen.getByText('0 of 3 answered…')
  expect(screen.getByRole('button', { name: 'All OFF' }).getAttribute('aria-disabled')).toBe('true')

  act(() => line.receive('switch-update', report([true, false], 6)))
  act(() => clock.advance(4000))
  await screen.findByText('1 of 3 followed')
  const results = within(screen.getByRole('region', { name: 'What became of each switch' }))
  expect(results.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'near 1done',
    'near 2no answer',
    'far 1offline'
  ])

  line.sent.length = 0
  fireEvent.click(screen.getByRole('button', { name: 'Retry the ones that failed' }))
  expect(line.sent).toEqual([
    { event: 'toggle-switch', payload: { deviceMac: near.deviceMac, switchIndex: 1, state: true } },
    { event: 'toggle-switch', payload: { deviceMac: far.deviceMac, switchIndex: 0, state: true } }
  ])
  act(() => line.receive('switch-update', report([true, true], 7)))
  await waitFor(() => expect(results.getAllByRole('listitem')[1]?.textContent).toBe('near 2done'))
})

test('a result stays, whatever the wall button does afterwards', async () => {
  const { line, live, clock, show } = await createTestApp({ areas: ['devices', 'switches'] })
  live.seed([near])
  show(<BulkPanel devices={[near]} nameOf={nameOf} />)
  fireEvent.click(screen.getByRole('button', { name: 'All ON' }))
  act(() => line.receive('switch-update', report([true, true], 6)))
  await screen.findByText('All 2 switches went on')
  act(() => line.receive('switch-update', { ...report([true, false], 7), cause: { by: 'button', from: 'board' } }))
  screen.getByText('All 2 switches went on')

  fireEvent.click(screen.getByRole('button', { name: 'All OFF' }))
  act(() => line.receive('switch-update', report([false, true], 8)))
  act(() => clock.advance(4000))
  await screen.findByText('1 of 2 followed')
  act(() => clock.advance(10_000))
  act(() => line.receive('switch-update', { ...report([false, false], 9), cause: { by: 'button', from: 'board' } }))
  screen.getByText('1 of 2 followed')
})

test('the focus stays on the pressed button, while boards answer and when all is done', async () => {
  const { line, live, clock, show } = await createTestApp({ areas: ['devices', 'switches'] })
  live.seed([near])
  show(<BulkPanel devices={[near]} nameOf={nameOf} />)
  const allOn = screen.getByRole('button', { name: 'All ON' })
  allOn.focus()
  fireEvent.click(allOn)
  expect(allOn).toHaveProperty('disabled', false)
  // A further press has no effect.
  fireEvent.click(allOn)
  expect(line.sent).toHaveLength(1)

  act(() => clock.advance(4000))
  const retry = await screen.findByRole('button', { name: 'Retry the ones that failed' })
  act(() => retry.focus())
  fireEvent.click(retry)
  expect(document.activeElement).toBe(retry)
  act(() => line.receive('switch-update', report([true, true], 6)))
  await screen.findByText('All 2 switches went on')
  expect(document.activeElement).toBe(retry)
  fireEvent.click(screen.getByRole('button', { name: 'Hide the results' }))
  expect(document.activeElement).toBe(allOn)
})
