import type { RolloutRecord } from '@batti/contracts'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { networkError } from '@batti/client/transport'
import { bulkRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './new-rollout.tsx'

interface Answers {
  rollouts: RolloutRecord[]
  preview: () => object
  /** Of the preview. */
  refused: () => Answer | null
  start: () => Answer | Promise<Answer>
  isWithdrawn: () => boolean
}
const file = {
  _id: 'f'.repeat(24),
  version: '2.0.0',
  filename: 'wall-2.0.0.bin',
  url: '/files/firmware/wall-2.0.0.bin',
  size: 1024,
  sha256: '0'.repeat(64),
  hwModel: 'batti-wall-4',
  signed: true,
  keyId: 'key-1',
  secureVersion: null,
  state: 'released',
  from: null,
  withdrawn: false,
  uploadedBy: null,
  createdAt: '2026-11-20T10:00:00.000Z'
}
const three = { total: 3, stages: [1, 2], excluded: [] }

function Where() {
  return <output data-testid="where">{useLocation().pathname}</output>
}

afterEach(() => sessionStorage.clear())

async function open(
  {
    preview = () => three,
    refused = () => null,
    start = () => ({ data: null }),
    rollouts = [],
    isWithdrawn = () => false
  }: Partial<Answers> = {},
  _id = sita._id
) {
  const app = await createTestApp({
    areas: ['table', 'staff', 'fleet', 'devices', 'firmware', 'health', 'rollouts', 'rules'],
    server: ({ url, method }) =>
      url.includes('/preview')
        ? (refused() ?? { data: preview() })
        : method === 'post'
          ? start()
          : {
              data: {
                files: isWithdrawn() ? [] : [file],
                rollouts,
                byState: {},
                total: 0,
                page: 1,
                limit: 100,
                totalPages: 1
              }
            }
  })
  const now = app.clock.now()
  const token = accessToken({ role: 'admin', iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, _id, role: 'admin', permissions: [] })
  return app
}
async function show(path = '/', answers?: Partial<Answers>) {
  const app = await open(answers)
  app.show(
    <>
      <Screen />
      <Where />
    </>,
    path
  )
  return app
}
const focused = () => document.activeElement

test('a draft is there again after a reload, for its entry of the history and its person alone', async () => {
  onTestFinished(() => history.replaceState(null, '', '/'))
  const limitOf = async (entry: string, person?: string) => {
    cleanup()
    history.replaceState({ key: entry }, '', '/?file=wall-2.0.0.bin')
    const made = bulkRecord({ kind: 'firmware', fileName: 'wall-2.0.0.bin' })
    const app = await open({ start: () => ({ data: made }) }, person)
    app.showInBrowser(<Screen />)
    return screen.findByRole<HTMLInputElement>('textbox', { name: 'Pause above, % failed' })
  }
  fireEvent.change(await limitOf('first'), { target: { value: '7' } })
  expect((await limitOf('second')).value).toBe('')
  expect((await limitOf('first', 'another')).value).toBe('')
  expect((await limitOf('first')).value).toBe('7')
  fireEvent.click(await screen.findByRole('button', { name: 'Start on 3 boards' }))
  await waitFor(() => expect(sessionStorage).toHaveLength(0))
  expect((await limitOf('first')).value).toBe('')
})

test('boards that were chosen in the list take no others later, those of a filter may', async () => {
  const follow = () => screen.queryByRole('checkbox', { name: 'Boards that come later join the last stage' })
  await show(`/?file=wall-2.0.0.bin&deviceIds=${'a'.repeat(24)},${'b'.repeat(24)}`)
  screen.getByText('The 2 boards that were selected')
  expect(follow()).toBeNull()
  cleanup()
  await show('/?file=wall-2.0.0.bin')
  expect(follow()).not.toBeNull()
})

test('Start with a wrong field moves the focus to it, each time', async () => {
  await show('/?file=wall-2.0.0.bin')
  const limit = screen.getByRole('textbox', { name: 'Pause above, % failed' })
  fireEvent.change(limit, { target: { value: 'many' } })
  for (let press = 1; press <= 2; press += 1) {
    const start = screen.getByRole('button', { name: /^Start/ })
    start.focus()
    fireEvent.click(start)
    await waitFor(() => expect(focused()).toBe(limit))
  }
})

test('a wrong field says what it takes, in the words of the page', async () => {
  await show('/?file=wall-2.0.0.bin')
  const fill = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
  fill('Pause above, % failed', 'many')
  await screen.findByText('must be a number')
  fill('Pause above, % failed', '5')
  expect(screen.queryByText('must be a number')).toBeNull()
  fireEvent.click(screen.getByRole('radio', { name: 'Own stages' }))
  while (screen.getAllByRole('button', { name: /^Remove stage/ }).length > 1)
    fireEvent.click(screen.getByRole('button', { name: 'Remove stage 1' }))
  fill('Percent of all', 'all')
  await screen.findByText('must be a number')
  fill('Percent of all', '0')
  await screen.findByText('must be above 0')
  fill('Percent of all', '50')
  await screen.findByText('The stages never reach all boards: end with 100 percent of all.')
})

test('own stages that leave boards out are refused beside them, and Start moves there', async () => {
  let refusal: Answer | null = null
  const { clock, requests } = await show('/?file=wall-2.0.0.bin', { refused: () => refusal })
  await screen.findByRole('button', { name: 'Start on 3 boards' })
  const message = 'never reach all boards: 2 of 3 are left'
  refusal = { status: 400, code: 'VALIDATION', message: `stages: ${message}`, errors: [{ path: 'stages', message }] }
  fireEvent.click(screen.getByRole('radio', { name: 'Own stages' }))
  act(() => clock.advance(300))
  const said = await screen.findByText('The stages never reach all boards: end with 100 percent of all.')
  expect(screen.queryByText('The preview did not load')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /^Start/ }))
  await waitFor(() => expect(focused()).toBe(said))
  expect(requests.filter(({ url, method }) => method === 'post' && !url.includes('/preview'))).toEqual([])
  refusal = null
  fireEvent.change(screen.getAllByRole('textbox', { name: 'Boards' }).at(-1) ?? said, { target: { value: '3' } })
  act(() => clock.advance(300))
  await waitFor(() => expect(said.isConnected).toBe(false))
})

test('removing a stage moves the focus to the next stage, or to the last one', async () => {
  await show('/?file=wall-2.0.0.bin')
  fireEvent.click(screen.getByRole('radio', { name: 'Own stages' }))
  const removal = (number: number) => screen.getByRole('button', { name: `Remove stage ${number}` })
  while (screen.getAllByRole('button', { name: /^Remove stage/ }).length < 3) {
    fireEvent.click(screen.getByRole('button', { name: 'Add a stage' }))
  }
  removal(1).focus()
  fireEvent.click(removal(1))
  expect(focused()).toBe(removal(1))
  const last = screen.getAllByRole('button', { name: /^Remove stage/ }).length
  removal(last).focus()
  fireEvent.click(removal(last))
  expect(focused()).toBe(removal(last - 1))
})

test('Start names the number of boards of the draft on the page, not of the one before', async () => {
  const { clock } = await show('/?file=wall-2.0.0.bin')
  await screen.findByRole('button', { name: 'Start on 3 boards' })
  fireEvent.change(screen.getByRole('textbox', { name: 'Boards under way at once' }), { target: { value: '5' } })
  screen.getByRole('button', { name: 'Start rollout' })
  act(() => clock.advance(300))
  await screen.findByRole('button', { name: 'Start on 3 boards' })
})

test('a corrected draft shows no failure of the wrong one before it is asked about', async () => {
  const { clock, queryClient } = await show('/?file=wall-2.0.0.bin')
  await screen.findByRole('button', { name: 'Start on 3 boards' })
  const limit = screen.getByRole('textbox', { name: 'Pause above, % failed' })
  fireEvent.change(limit, { target: { value: 'many' } })
  act(() => clock.advance(300))
  fireEvent.change(limit, { target: { value: '7' } })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.queryByText('The preview did not load')).toBeNull()
  act(() => clock.advance(300))
  await screen.findByRole('button', { name: 'Start on 3 boards' })
})

test('boards that another rollout took meanwhile are no longer promised after the refusal', async () => {
  let left = three
  await show('/?file=wall-2.0.0.bin', {
    preview: () => left,
    start: () => {
      left = { total: 1, stages: [1], excluded: [] }
      return { status: 409, code: 'CONFLICT', message: 'Not as it was.' }
    }
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Start on 3 boards' }))
  await screen.findByRole('button', { name: 'Start on 1 board' })
})

test('a file that was withdrawn meanwhile is to be chosen anew, and is not sent again', async () => {
  let isWithdrawn = false
  const { requests } = await show('/?file=wall-2.0.0.bin', {
    isWithdrawn: () => isWithdrawn,
    start: () => {
      isWithdrawn = true
      return { status: 409, code: 'CONFLICT', message: 'It was withdrawn.' }
    }
  })
  const box = screen.getByLabelText('Firmware file')
  fireEvent.click(await screen.findByRole('button', { name: 'Start on 3 boards' }))
  await waitFor(() => expect(box.getAttribute('aria-invalid')).toBe('true'))
  fireEvent.click(screen.getByRole('button', { name: 'Start rollout' }))
  await waitFor(() => expect(focused()).toBe(box))
  expect(requests.filter(({ url, method }) => method === 'post' && !url.includes('/preview'))).toHaveLength(1)
})

test('a rollout whose answer was lost has been started: its page is opened', async () => {
  const createdAt = new Date(1_800_000_000_000).toISOString()
  const made = bulkRecord({ kind: 'firmware', fileName: 'wall-2.0.0.bin', createdAt, createdBy: sita._id })
  await show('/?file=wall-2.0.0.bin', {
    rollouts: [{ ...made, _id: 'o'.repeat(24), createdBy: 'o' }, made],
    start: () => Promise.reject(networkError(null))
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Start on 3 boards' }))
  await waitFor(() => expect(screen.getByTestId('where').textContent).toBe(`/admin/rollouts/${made._id}`))
})

test('what Start has sent cannot be changed while its answer is awaited', async () => {
  const answer = Promise.withResolvers<Answer>()
  await show('/?file=wall-2.0.0.bin', { start: () => answer.promise })
  const limit = screen.getByRole('textbox', { name: 'Pause above, % failed' })
  fireEvent.click(await screen.findByRole('button', { name: 'Start on 3 boards' }))
  await waitFor(() => expect(limit.closest('[inert]')).not.toBeNull())
  await act(async () => answer.resolve({ status: 409, code: 'CONFLICT', message: 'No board is left.' }))
  await waitFor(() => expect(limit.closest('[inert]')).toBeNull())
})
