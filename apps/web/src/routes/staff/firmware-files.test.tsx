import { CancelledError } from '@batti/client/api-error'
import { networkError } from '@batti/client/transport'
import type { FirmwareFileRecord } from '@batti/contracts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notify } from '#web/lib/notify.ts'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp, type Answer, type TestServer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './firmware-files.tsx'

const now = 1_800_000_000_000

const file = (changes: Partial<FirmwareFileRecord>): FirmwareFileRecord => ({
  _id: (changes.filename ?? 'file').padEnd(24, '0'),
  version: '1.5.0',
  filename: 'wall-1.5.0.bin',
  url: 'http://batti.test/files/firmware/1/wall-1.5.0.bin?expires=1&signature=s',
  size: 1_310_000,
  sha256: 'ab'.repeat(32),
  hwModel: 'batti-wall-4',
  signed: true,
  keyId: '5fa031c200000000',
  secureVersion: 1,
  state: 'released',
  from: null,
  withdrawn: false,
  uploadedBy: null,
  createdAt: '2026-11-20T06:00:00.000Z',
  ...changes
})
const files = [
  file({}),
  file({ filename: 'wall-1.6.0.bin', version: '1.6.0', state: 'draft' }),
  file({ filename: 'old-1.3.0.bin', version: '1.3.0', hwModel: null, keyId: null, signed: false })
]
const fleet = { versions: [{ hwModel: 'batti-wall-4', osVersion: '1.5.0', count: 1284 }] }

interface Shown {
  upload?: TestServer
  /** Where the list is not the three files. */
  list?: TestServer
}

async function open(role: 'admin' | 'monitor', { upload = () => ({ data: file({}) }), list }: Shown = {}) {
  const app = await createTestApp({
    areas: ['table', 'staff', 'fleet', 'devices', 'firmware', 'rules'],
    server: (request) =>
      request.method === 'post'
        ? upload(request)
        : request.url.includes('/fleet')
          ? { data: { ...emptyFleet, ...fleet } }
          : (list?.(request) ?? { data: { files, total: files.length, page: 1, limit: 10, totalPages: 1 } })
  })
  const token = accessToken({ role, iatMs: now, expMs: now + 900_000 })
  app.session.signIn(
    { accessToken: token, refreshToken: 'r' },
    { ...sita, role, permissions: role === 'monitor' ? ['view devices'] : [] }
  )
  app.show(<Screen />)
  return app
}
async function show(role: 'admin' | 'monitor', upload?: TestServer) {
  const app = await open(role, upload && { upload })
  await screen.findByText('wall-1.5.0.bin')
  return app
}
const emptyFleet = {
  boards: 0,
  online: 0,
  offline: 0,
  neverSeen: 0,
  weakSignal: 0,
  flapping: 0,
  silent: 0,
  failing: 0,
  outdated: 0,
  onlineByHour: [],
  commandsByHour: [],
  byHour: []
}
const choose = (name: string) =>
  fireEvent.change(screen.getByLabelText('Choose a file'), { target: { files: [new File(['image'], name)] } })
const upload = () => fireEvent.click(screen.getByRole('button', { name: 'Upload' }))

test('the newest version is first, ten a page; the column header reverses the order and back', async () => {
  const { requests } = await show('admin')
  expect(requests.some(({ url }) => url.includes('limit=10'))).toBe(true)
  const head = screen.getByRole('columnheader', { name: 'Version' })
  expect(head.getAttribute('aria-sort')).toBe('descending')
  fireEvent.click(within(head).getByRole('button'))
  await waitFor(() => expect(head.getAttribute('aria-sort')).toBe('ascending'))
  expect(requests.at(-1)?.url).toContain('sort=version')
  fireEvent.click(within(head).getByRole('button'))
  await waitFor(() => expect(head.getAttribute('aria-sort')).toBe('descending'))
})

test('a row says who signed it, how many boards run it, and opens the file in a new tab', async () => {
  await show('admin')
  const row = within(screen.getByRole('row', { name: /wall-1\.5\.0/ }))
  row.getByText('5F A0 31 C2')
  expect((await row.findByRole('link', { name: '1,284' })).getAttribute('href')).toBe(
    '/admin/devices?osVersion=1.5.0&hwModel=batti-wall-4'
  )
  expect(row.getByRole('link', { name: /^Open/ }).getAttribute('target')).toBe('_blank')
  within(screen.getByRole('row', { name: /old-1\.3\.0/ })).getByText('Not signed')
})

test('Upload without a file asks for one; a file that is not an image is not sent', async () => {
  const asked = vi.spyOn(notify, 'error')
  onTestFinished(() => asked.mockRestore())
  const { requests } = await show('admin')
  choose('notes.txt')
  expect(screen.getByRole('alert').textContent).toContain('Only .bin files can be uploaded.')
  upload()
  expect(asked).toHaveBeenCalledExactlyOnceWith('Please choose a file')
  expect(requests.some(({ method }) => method === 'post')).toBe(false)
})

test('a file that is being picked while the list turns out to be empty is chosen', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await open('admin', {
    list: async () => {
      await promise
      return { data: { files: [], total: 0, page: 1, limit: 10, totalPages: 1 } }
    }
  })
  // The system's dialog keeps the field from which it was opened.
  const field = await screen.findByLabelText('Choose a file')
  resolve(undefined)
  await screen.findByText('No firmware files found')
  fireEvent.change(field, { target: { files: [new File(['image'], 'wall-1.5.0.bin')] } })
  const announced = screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(announced).toContainEqual(expect.stringContaining('Chosen: wall-1.5.0.bin'))
})

test('an image that the server refuses shows the reason, that nothing of it was stored, and is not chosen any more', async () => {
  await show('admin', () => ({ status: 422, code: 'UNPROCESSABLE', message: 'This image is not signed.' }))
  choose('fan2-1.2.0.bin')
  upload()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('fan2-1.2.0.bin was refused: This image is not signed. Nothing of it was kept.')
  const asked = vi.spyOn(notify, 'error')
  onTestFinished(() => asked.mockRestore())
  await waitFor(() => {
    upload()
    expect(asked).toHaveBeenCalledWith('Please choose a file')
  })
})

test('an image that is refused while its user is on another page is reported there', async () => {
  const told = vi.spyOn(notify, 'error').mockImplementation(() => undefined)
  let refuse = (): void => undefined
  const asked = new Promise<void>((resolve) => {
    refuse = resolve
  })
  await show('admin', async () => {
    await asked
    return { status: 422, code: 'UNPROCESSABLE', message: 'This image is not signed.' }
  })
  choose('fan2-1.2.0.bin')
  upload()
  await screen.findByRole('progressbar')
  cleanup()
  refuse()
  await expect
    .poll(() => told.mock.calls)
    .toEqual([['fan2-1.2.0.bin was refused: This image is not signed. Nothing of it was kept.']])
  told.mockRestore()
})

test('a running upload is shown, and can be cancelled, on returning to the page', async () => {
  let accept = (): void => undefined
  const asked = new Promise<void>((resolve) => {
    accept = resolve
  })
  const app = await show('admin', async () => {
    await asked
    return { data: file({}) }
  })
  choose('fan2-1.2.0.bin')
  upload()
  await screen.findByRole('progressbar', { name: 'fan2-1.2.0.bin' })
  cleanup()
  app.show(<Screen />)
  await screen.findByRole('progressbar', { name: 'fan2-1.2.0.bin' })
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
  accept()
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  await screen.findByRole('button', { name: 'Upload' })
})

const tooMany: Answer = { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Please try again after 5 seconds.' }

test.each([
  [
    'broke off',
    () => Promise.reject(new TypeError('Failed to fetch')),
    'The upload of wall-1.8.0.bin broke off. Nothing of it was kept; try again.'
  ],
  [
    'is one too many',
    () => tooMany,
    'wall-1.8.0.bin was refused: Please try again after 5 seconds. Nothing of it was kept.'
  ]
])('the file of an upload that %s is still selected, and is sent by the next press', async (_, fail, words) => {
  let isDown = true
  const { requests } = await show('admin', () => (isDown ? fail() : { data: file({}) }))
  choose('wall-1.8.0.bin')
  upload()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe(words)
  isDown = false
  upload()
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(requests.filter(({ method }) => method === 'post')).toHaveLength(2)
})

test.each(['cancelled', 'broken', 'answered with a fault of the server'])(
  'an upload that is %s when all was sent may have been kept: the list is loaded again',
  async (end) => {
    const { requests } = await show('admin', ({ onUploadProgress, signal }) => {
      onUploadProgress?.(1)
      if (end === 'broken') throw networkError(null)
      if (end !== 'cancelled') return { status: 503, code: 'UNAVAILABLE', message: 'The database does not answer.' }
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new CancelledError())))
    })
    const listed = () =>
      requests.filter(({ method, url }) => method === 'get' && url.includes('/device-firmware-files'))
    const before = listed().length
    choose('wall-1.8.0.bin')
    upload()
    if (end === 'cancelled') {
      await screen.findByText(/The server checks it/)
      fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    }
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('It may have been kept: look in the list before you try again.')
    await waitFor(() => expect(listed().length).toBeGreaterThan(before))
    screen.getByText('wall-1.8.0.bin', { exact: true })
  }
)

/** The bytes are those that `choose` picks. */
const kept = {
  filename: 'wall-1.8.0.bin',
  version: '1.8.0',
  size: 5,
  sha256: '6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d'
}
const lost: TestServer = ({ onUploadProgress }) => {
  onUploadProgress?.(1)
  throw networkError(null)
}
const existing: TestServer = () => ({ status: 409, code: 'CONFLICT', message: 'Version 1.8.0 exists already.' })

/** Sends a file to a server that has `record`. */
async function send(answer: TestServer, record: Partial<FirmwareFileRecord>) {
  const listed = { files: [...files, file(record)], total: 4, page: 1, limit: 10, totalPages: 1 }
  await open('admin', { upload: answer, list: () => ({ data: listed }) })
  await screen.findByText('wall-1.5.0.bin')
  choose('wall-1.8.0.bin')
  upload()
}

test.each([
  ['whose answer was lost', lost],
  ['that is sent again after its answer was lost', existing]
])('an upload %s has succeeded if the server has that very image', async (_, answer) => {
  const told = vi.spyOn(notify, 'success').mockImplementation(() => undefined)
  await send(answer, kept)
  await expect.poll(() => told.mock.calls).toEqual([['Upload successful']])
  expect(screen.queryByRole('alert')).toBeNull()
  told.mockRestore()
})

test.each([
  ['other bytes', { sha256: 'ab'.repeat(32) }],
  ['another state', { state: 'draft' }]
] as const)('a file of the same name with %s is not the one that was sent', async (_, changes) => {
  await send(existing, { ...kept, ...changes })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('wall-1.8.0.bin was refused: Version 1.8.0 exists already. Nothing of it was kept.')
})

test('the remaining time of an upload is not changed by setting the clock', async () => {
  let progress: ((fraction: number) => void) | undefined
  const { clock } = await show('admin', ({ onUploadProgress }) => {
    progress = onUploadProgress
    return new Promise(() => undefined)
  })
  choose('wall-1.8.0.bin')
  upload()
  await waitFor(() => expect(progress).toBeDefined())
  clock.advance(10_000)
  clock.step(3_600_000)
  act(() => progress?.(0.5))
  await screen.findByText(/about 10 s left/)
})

test('a draft can be saved as one', async () => {
  const { requests } = await show('admin')
  choose('wall-1.7.0.bin')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Keep it as a draft' }))
  upload()
  await waitFor(() => expect(requests.some(({ method }) => method === 'post')).toBe(true))
  const sent = requests.find(({ method }) => method === 'post')?.body
  expect(sent instanceof FormData && sent.get('state')).toBe('draft')
})

test('a monitor can only view', async () => {
  await show('monitor')
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Actions for wall-1.5.0.bin' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['View'])
})

test('saving a version to pass through first without a change keeps what another admin has set meanwhile', async () => {
  const { requests } = await open('admin', {
    list: ({ method }) => ({
      data: method === 'patch' ? file({}) : { files, total: files.length, page: 1, limit: 10, totalPages: 1 }
    })
  })
  await screen.findByText('wall-1.5.0.bin')
  const bodies = () => requests.filter(({ method }) => method === 'patch').map(({ body }) => body)
  const edit = async (version: string) => {
    fireEvent.click(screen.getByRole('button', { name: 'Actions for wall-1.5.0.bin' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Version to pass through first' }))
    fireEvent.input(await screen.findByLabelText('Version'), { target: { value: version } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await edit('')
  expect(bodies()).toEqual([])
  await edit('1.4.0')
  expect(bodies()).toEqual(['{"from":{"min":"1.4.0"}}'])
})

test('a draft is released only as it is shown: another admin may have withdrawn it', async () => {
  const { requests } = await show('admin')
  const row = screen.getByText('wall-1.6.0.bin').closest<HTMLElement>('tr, li')
  fireEvent.click(within(row ?? document.body).getByRole('button', { name: /wall-1\.6\.0\.bin/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Release' }))
  const sent = () => requests.find(({ method }) => method === 'patch')?.body
  await waitFor(() => expect(sent()).toBe(JSON.stringify({ state: 'released', seen: { state: 'draft' } })))
})
