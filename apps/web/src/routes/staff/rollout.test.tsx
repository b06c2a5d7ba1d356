import type { RolloutRecord, RolloutTarget } from '@batti/contracts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { narrowScreen } from '#web/lib/use-media.ts'
import { Screen } from './rollout.tsx'

const now = 1_800_000_000_000
const id = 'a'.repeat(24)
// oxlint-disable-next-line unicorn/no-thenable -- a field of the contracts, never awaited
const stage = { holdMinutes: 30, then: 'go' as const, endedAt: null, startedAt: null, done: 0 }
const rollout: RolloutRecord = {
  _id: id,
  kind: 'firmware',
  fileName: 'wall-fan-1.5.0.bin',
  version: '1.5.0',
  state: 'paused',
  total: 1061,
  counts: { done: 111, failed: 3, 'rolled-back': 6, waiting: 941 },
  stages: [
    {
      ...stage,
      devices: 1,
      total: 1,
      done: 1,
      startedAt: '2027-01-15T07:00:00.000Z',
      endedAt: '2027-01-15T07:10:00.000Z'
    },
    { ...stage, percent: 100, total: 1060, done: 110, startedAt: '2027-01-15T07:10:00.000Z' }
  ],
  maxFailurePercent: 5,
  atOnce: 10,
  allowedHours: null,
  updateWhen: 'any',
  follow: false,
  paused: { by: 'failures', at: '2027-01-15T08:00:00.000Z', tried: 120, failed: 9, limit: 5 },
  failures: [
    {
      code: 'server-unreachable',
      count: 6,
      retryable: true,
      common: [
        { what: 'owner', value: sita._id, count: 6 },
        { what: 'signal', value: 'weak', count: 5 }
      ]
    },
    { code: 'download-failed', count: 2, retryable: true },
    { code: 'signature', count: 1, retryable: false }
  ],
  set: null,
  createdAt: '2027-01-15T06:59:00.000Z',
  createdBy: null
}

const allFiles = ['1.10.0', '1.5.0', '1.4.2'].map((version) => ({
  _id: version,
  version,
  filename: `wall-fan-${version}.bin`,
  url: 'http://batti.test/files/firmware/1/wall-fan.bin?expires=1&signature=s',
  size: 1000,
  sha256: 'ab'.repeat(32),
  hwModel: 'batti-wall-fan',
  signed: false,
  keyId: null,
  secureVersion: null,
  state: 'released',
  from: null,
  withdrawn: false,
  uploadedBy: null,
  createdAt: '2026-11-20T06:00:00.000Z'
}))

type TargetRecord = RolloutTarget & { deviceName: string }

async function show(
  changes: Partial<RolloutRecord> = {},
  role: 'admin' | 'monitor' = 'admin',
  withdrawn: readonly string[] = [],
  targets: readonly TargetRecord[] = []
) {
  const record = { ...rollout, ...changes }
  const filesNow = () => allFiles.map((file) => ({ ...file, withdrawn: withdrawn.includes(file.version) }))
  const app = await createTestApp({
    areas: ['table', 'staff', 'fleet', 'devices', 'firmware', 'rollouts', 'rules'],
    server: ({ url }) => {
      const page = { total: targets.length, page: 1, limit: 50, totalPages: 1 }
      if (url.includes('/targets')) return { data: { targets, ...page } }
      if (url.includes('/device-firmware-files')) return { data: { files: filesNow(), ...page } }
      if (url.includes('/roll-forward') && withdrawn.includes('1.10.0'))
        return { status: 409, code: 'CONFLICT', message: 'It was withdrawn.' }
      return { data: record }
    }
  })
  const token = accessToken({ role, iatMs: now, expMs: now + 900_000 })
  app.session.signIn(
    { accessToken: token, refreshToken: 'r' },
    { ...sita, role, permissions: role === 'monitor' ? ['view devices'] : [] }
  )
  app.show(
    <Routes>
      <Route path="/:role/rollouts/:id" element={<Screen />} />
    </Routes>,
    `/${role}/rollouts/${id}`
  )
  await screen.findByRole('heading', { level: 1, name: 'wall-fan 1.5.0' })
  const sent = () =>
    app.requests
      .filter(({ method }) => method !== 'get')
      .map(({ method, url, body }) => `${method} ${url.replace('/api/v1', '')} ${typeof body === 'string' ? body : ''}`)
  return { ...app, record, sent }
}

test('a pause shows when, why, against which limit, and what continues meanwhile; its buttons are in it', async () => {
  const { sent } = await show()
  const note = within(screen.getByRole('alert'))
  note.getByText(/9 of 120 boards failed or rolled back, 7\.5% where 5% is the limit\.$/)
  note.getByText('Nothing more is sent until an admin decides. The 111 that are done stay as they are.')
  fireEvent.click(note.getByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(sent()).toEqual([`patch /rollouts/${id} {"state":"running"}`]))
})

test('a new state is announced, as the button that has changed it is gone', async () => {
  const { record } = await show()
  const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(announced()).toContain('Paused by failures')
  Object.assign(record, { state: 'running', paused: null })
  fireEvent.click(screen.getByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull())
  expect(announced()).toContain('Running')
})

test.each([
  [
    { by: 'silence', tried: 11, failed: 4, limit: 10 },
    /: 4 of 11 updated boards fell silent, 36\.4% where 10% is the limit\.$/
  ],
  [{ by: 'regression', tried: 30, failed: 120, limit: 100 }, /restarts: 120 on 30 boards, more than twice as often\.$/]
] as const)('a pause by %o says what its figures count', async (paused, said) => {
  await show({ paused: { ...paused, at: '2027-01-15T08:00:00.000Z' }, failures: [] })
  expect(screen.getByRole('alert').querySelector('p')?.textContent).toMatch(said)
})

test('a pause for a file that was withdrawn says so, and cannot be resumed until it is released again', async () => {
  await show({ paused: { by: 'staff', at: '2027-01-15T08:00:00.000Z', tried: 0, failed: 0, limit: 5 } }, 'admin', [
    '1.5.0'
  ])
  const note = within(screen.getByRole('alert'))
  await note.findByText(/the file was withdrawn, or its key is not trusted any more/)
  expect(note.queryByRole('button', { name: 'Resume' })).toBeNull()
})

test('failures are retried reason by reason; those that a retry cannot repair have no button', async () => {
  const { sent } = await show()
  screen.getByRole('heading', { name: 'Why 9 failed' })
  expect(screen.getAllByRole('button', { name: /^Retry/ }).map(({ textContent }) => textContent)).toEqual([
    'Retry the 8',
    'Retry 6',
    'Retry 2'
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Retry 6' }))
  await waitFor(() => expect(sent()).toEqual([`post /rollouts/${id}/retry {"reason":"server-unreachable"}`]))
})

test('shows what boards that failed for one reason have in common', async () => {
  await show()
  const said = screen.getAllByText(/ of them /).map(({ textContent }) => textContent)
  expect(said).toEqual(['All of them are in one home.', '5 of them have a weak signal.'])
})

test('one that asks shows what comes next, and continues on request', async () => {
  const asked = rollout.stages.map((each, index) =>
    index === 0 ? { ...each, endedAt: null } : { ...each, startedAt: null }
  )
  const { sent } = await show({ state: 'asking', paused: null, stages: asked, failures: [] })
  const note = within(screen.getByRole('alert'))
  note.getByText('Stage 1 is done. Go on?')
  note.getByText('Next: 100%, 1,060 boards. Nothing is sent until an admin decides.')
  fireEvent.click(note.getByRole('button', { name: 'Go on' }))
  await waitFor(() => expect(sent()).toEqual([`patch /rollouts/${id} {"state":"running"}`]))
})

test('the creator of one that needs approval cannot start it', async () => {
  await show({ state: 'waiting-approval', paused: null, failures: [], createdBy: sita._id })
  const note = within(screen.getByRole('alert'))
  note.getByText('You made it, so another admin must start it.')
  expect(note.queryByRole('button', { name: 'Start it' })).toBeNull()
})

test.each([
  [{ failed: 4, 'rolled-back': 2 }, 'Ended: 0 of 6 done'],
  [{ done: 1, failed: 5 }, 'Done']
])('one that ended with %o says whether any board was updated', async (counts, state) => {
  await show({ state: 'done', paused: null, total: 6, counts })
  expect(screen.getByRole('banner').textContent).toContain(state)
})

test('cancelling asks first, and says what becomes of each board', async () => {
  const counts = { done: 1, download: 1, proving: 1, waiting: 2 }
  const { sent } = await show({ state: 'running', paused: null, failures: [], counts })
  fireEvent.click(screen.getByRole('button', { name: 'Cancel rollout' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  dialog.getByText(/^2 boards that wait get nothing\. The 2 under way go on to their end\. The one that is done stays/)
  expect(sent()).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel rollout' }))
  await waitFor(() => expect(sent()).toEqual([`patch /rollouts/${id} {"state":"cancelled"}`]))
})

test('the last stage of a cancelled rollout is neither paused nor going on', async () => {
  await show({ state: 'cancelled', paused: null, failures: [] })
  expect(document.querySelector('[aria-current="step"]')).toBeNull()
  screen.getByText(/^begun at /)
})

/** Opens the question, and chooses the file that it offers. */
async function chooseNext() {
  fireEvent.click(screen.getByRole('button', { name: 'Roll forward' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Roll forward' }))
  fireEvent.click(dialog.getByLabelText('Firmware file'))
  const option = await screen.findByRole('option', { name: 'wall-fan-1.10.0.bin' })
  expect(screen.getAllByRole('option')).toHaveLength(1)
  // Without it the click would only count on an option that is highlighted, as none is that came after the box had opened.
  fireEvent.pointerDown(option)
  fireEvent.click(option)
  return dialog
}

test('a rollout is rolled forward: only files of higher versions are offered', async () => {
  const { sent } = await show()
  const dialog = await chooseNext()
  fireEvent.click(dialog.getByRole('button', { name: 'Roll forward' }))
  await waitFor(() => expect(dialog.getByLabelText('Firmware file').closest('[inert]')).not.toBeNull())
  await waitFor(() => expect(sent()).toEqual([`post /rollouts/${id}/roll-forward {"fileName":"wall-fan-1.10.0.bin"}`]))
})

test('a file that was withdrawn meanwhile is not offered again to roll forward', async () => {
  const withdrawn: string[] = []
  await show({}, 'admin', withdrawn)
  const dialog = await chooseNext()
  withdrawn.push('1.10.0')
  const press = dialog.getByRole('button', { name: 'Roll forward' })
  fireEvent.click(press)
  await dialog.findByText('No released file has a higher version.')
  await waitFor(() => expect(press).toHaveProperty('disabled', true))
})

test('a rollout that no file can follow says so', async () => {
  await show({}, 'admin', ['1.10.0'])
  fireEvent.click(screen.getByRole('button', { name: 'Roll forward' }))
  await screen.findByText('No released file has a higher version.')
})

test('a monitor can only view', async () => {
  await show({}, 'monitor')
  expect(screen.queryByRole('button', { name: /Resume|Retry|Cancel rollout|Pause/ })).toBeNull()
})

test('a question whether to cancel, closed by the rollout’s end, does not come back with a retry', async () => {
  const { record, queryClient } = await show({ state: 'running', paused: null })
  const becomes = async (state: RolloutRecord['state']) => {
    record.state = state
    await act(() => queryClient.refetchQueries())
  }
  fireEvent.click(screen.getByRole('button', { name: 'Cancel rollout' }))
  screen.getByRole('alertdialog')
  await becomes('done')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await becomes('running')
  await screen.findByRole('button', { name: 'Pause' })
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('on a phone a board without a failure has no line for its reason', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === narrowScreen,
    addEventListener: () => undefined,
    removeEventListener: () => undefined
  }))
  const board = {
    deviceId: '1'.repeat(24),
    deviceName: 'Hall',
    deviceMac: '34:98:7A:00:00:01',
    percent: 0,
    changedAt: rollout.createdAt
  }
  const failed = { code: 'checksum', detail: null } as const
  await show(
    {},
    'admin',
    [],
    [
      { ...board, phase: 'waiting', error: null },
      { ...board, deviceId: '2'.repeat(24), phase: 'failed', error: failed }
    ]
  )
  const list = await screen.findByRole('list', { name: 'Boards' })
  const [waiting, bad] = within(list).getAllByRole('listitem')
  expect(waiting?.textContent).not.toContain('–')
  expect(bad?.textContent).toContain('The image arrived damaged')
})
