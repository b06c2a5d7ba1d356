import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { textsOf } from '#web/test/texts-of.ts'
import { createTestApp } from '#web/test/test-app.tsx'
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

test('Save as New makes another type with the picture that the form shows', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    expect(url).toBe(type.deviceImage)
    return new Response('the picture', { headers: { 'content-type': 'image/webp' } })
  })
  const { show, requests } = await createTestApp({
    areas: textsOf('/admin/device-types'),
    server: ({ method }) =>
      method === 'post'
        ? { data: type }
        : { data: { deviceTypes: [type], total: 1, page: 1, limit: 100, totalPages: 1 } }
  })
  show(<Screen />)
  await screen.findByText('BT4')
  fireEvent.click(screen.getByRole('button', { name: 'Actions for Wall 4' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
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
