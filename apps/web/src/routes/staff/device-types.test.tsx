import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useToasterStore } from 'react-hot-toast'
import { afterEach, expect, test, vi } from 'vitest'
import { textsOf } from '#web/test/texts-of.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { Screen } from './device-types.tsx'

afterEach(() => vi.unstubAllGlobals())

const type = {
  _id: 'a'.repeat(24),
  deviceCode: 'BT4',
  deviceName: 'Wall 4',
  hwModel: 'batti-wall-4',
  description: '',
  numberOfSwitches: 4,
  numberOfFans: 0,
  numberOfSockets: 0,
  fanIndexes: [],
  socketIndexes: [],
  deviceImage: '/files/images/wall.webp',
  createdAt: '2026-11-20T10:00:00.000Z'
}

const oneType = { deviceTypes: [type], total: 1, page: 1, limit: 100, totalPages: 1 }

/** The texts of the toasts; their look needs a browser. */
function Toasts() {
  const { toasts } = useToasterStore()
  return toasts.map(({ id, message }) => <p key={id}>{typeof message === 'string' ? message : ''}</p>)
}

async function chooseEdit() {
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Wall 4' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
}

test('Edit shows the current state of the type, or says that it failed to load', async () => {
  const answers = [new Error('no line'), { ...type, description: 'By another admin' }]
  const { show } = await createTestApp({
    areas: textsOf('/admin/device-types'),
    server: ({ url }) => {
      if (!url.endsWith(type._id)) return { data: oneType }
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return { data: answer }
    }
  })
  show(
    <>
      <Screen />
      <Toasts />
    </>
  )
  await chooseEdit()
  await screen.findByText('Failed to load device type data')
  await chooseEdit()
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Device Type' }))
  expect(dialog.getByLabelText('Description')).toHaveProperty('value', 'By another admin')
})

test('only the changed fields are sent: another admin may have changed the rest', async () => {
  const { show, requests } = await createTestApp({
    areas: textsOf('/admin/device-types'),
    server: ({ url }) => ({ data: url.endsWith(type._id) ? type : oneType })
  })
  show(<Screen />)
  await chooseEdit()
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Device Type' }))
  fireEvent.input(dialog.getByLabelText('Device name'), { target: { value: 'Wall 4 B' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(requests.some(({ method }) => method === 'patch')).toBe(true))
  const body = requests.find(({ method }) => method === 'patch')?.body
  if (!(body instanceof FormData)) throw new Error('It was sent without a form')
  expect([...body.entries()]).toEqual([['deviceName', 'Wall 4 B']])
})

test('numbers may be typed in Nepali digits, and a list that cannot be read is not saved as an empty one', async () => {
  const { show, requests } = await createTestApp({
    areas: textsOf('/admin/device-types'),
    server: ({ url }) => ({ data: url.endsWith(type._id) ? type : oneType })
  })
  show(<Screen />)
  await chooseEdit()
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Device Type' }))
  const fill = (label: string, value: string) => fireEvent.input(dialog.getByLabelText(label), { target: { value } })
  fill('Switches', '६')
  fill('Dimmer indexes', '1; 3')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText(/^must be whole numbers from 0 to 63 with commas/)
  expect(requests.some(({ method }) => method === 'patch')).toBe(false)
  fill('Dimmer indexes', '१, ३')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(requests.some(({ method }) => method === 'patch')).toBe(true))
  const body = requests.find(({ method }) => method === 'patch')?.body
  if (!(body instanceof FormData)) throw new Error('It was sent without a form')
  expect(Object.fromEntries(body)).toEqual({ numberOfSwitches: '6', dimmerIndexes: '[1,3]' })
})

test('a refused picture is marked at its field until another one is chosen', async () => {
  const message = 'Choose a picture: JPEG, PNG, WebP or GIF.'
  const refusal = { status: 415, code: 'UNSUPPORTED_MEDIA', message, errors: [{ path: 'deviceImage', message }] }
  const { show } = await createTestApp({
    areas: textsOf('/admin/device-types'),
    server: ({ method, url }) => (method === 'patch' ? refusal : { data: url.endsWith(type._id) ? type : oneType })
  })
  show(
    <>
      <Screen />
      <Toasts />
    </>
  )
  await chooseEdit()
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Device Type' }))
  const input = dialog.getByLabelText('Choose a picture')
  const choose = (name: string) =>
    fireEvent.change(input, { target: { files: [new File(['x'], name, { type: 'image/png' })] } })
  choose('no-picture.png')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
  // Its toast would be the second.
  expect(screen.getAllByText(message)).toHaveLength(1)
  choose('picture.png')
  expect(screen.queryByText(message)).toBeNull()
})

test('Save as New creates another type with the picture in the form', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    expect(url).toBe(type.deviceImage)
    return new Response('the picture', { headers: { 'content-type': 'image/webp' } })
  })
  const { show, requests } = await createTestApp({
    areas: textsOf('/admin/device-types'),
    server: ({ method, url }) => ({ data: method === 'post' || url.endsWith(type._id) ? type : oneType })
  })
  show(<Screen />)
  await chooseEdit()
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Device Type' }))
  fireEvent.change(dialog.getByLabelText('Device code'), { target: { value: 'BT4-B' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save as New' }))
  await waitFor(() => expect(requests.some(({ method }) => method === 'post')).toBe(true))
  const body = requests.find(({ method }) => method === 'post')?.body
  if (!(body instanceof FormData)) throw new Error('It was sent without a form')
  expect(body.get('deviceCode')).toBe('BT4-B')
  const picture = body.get('deviceImage')
  expect(picture instanceof File && [picture.name, picture.type]).toEqual(['wall.webp', 'image/webp'])
})

test('a type that loads slowly does not replace the form that somebody has opened meanwhile', async () => {
  let answer: (answer: Answer) => void = () => {}
  const { show } = await createTestApp({
    areas: textsOf('/admin/device-types'),
    server: ({ url }) => (url.endsWith(type._id) ? new Promise((resolve) => (answer = resolve)) : { data: oneType })
  })
  show(<Screen />)
  await chooseEdit()
  fireEvent.click(screen.getByRole('button', { name: 'Add Device Type' }))
  const name = await screen.findByLabelText('Device name')
  fireEvent.input(name, { target: { value: 'Wall 6' } })
  await act(async () => answer({ data: type }))
  expect(screen.getByLabelText('Device name')).toHaveProperty('value', 'Wall 6')
})
