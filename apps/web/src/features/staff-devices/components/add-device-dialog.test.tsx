import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { AddDeviceDialog } from './add-device-dialog.tsx'

const ownerId = 'f'.repeat(24)
const typeOf = (id: string, hwModel: string) => ({
  _id: id.repeat(24),
  deviceCode: 'BT4',
  deviceName: 'Wall 4',
  hwModel,
  description: '',
  numberOfSwitches: 4,
  numberOfFans: 0,
  numberOfSockets: 0,
  fanIndexes: [],
  socketIndexes: [],
  deviceImage: null,
  createdAt: '2026-11-20T10:00:00.000Z'
})

/** Fills the dialog in with the second of two types that have the same code, and sends it. */
async function add(answer: Answer) {
  const app = await createTestApp({
    areas: ['staff', 'fleet', 'devices', 'table', 'rules'],
    server: ({ method, url }) => {
      if (method === 'post') return answer
      const page = { total: 0, page: 1, limit: 500, totalPages: 1 }
      if (url.includes('/rooms')) return { data: { rooms: [], ...page } }
      return { data: { deviceTypes: [typeOf('a', 'wall-old'), typeOf('b', 'wall-new')], ...page } }
    }
  })
  app.show(
    <AddDeviceDialog
      renderOwner={(set) => (
        <button type="button" onClick={() => set(ownerId)}>
          Sita
        </button>
      )}
      onClose={() => {}}
    />
  )
  fireEvent.click(screen.getByRole('button', { name: 'Sita' }))
  fireEvent.click(screen.getByLabelText('Device type'))
  const option = await screen.findByRole('option', { name: 'Wall 4 · BT4 · wall-new' })
  fireEvent.pointerDown(option)
  fireEvent.click(option)
  fireEvent.change(screen.getByLabelText('MAC'), { target: { value: '34:98:7A:0C:51:E2' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add Device' }))
  return () => app.requests.find(({ method }) => method === 'post')?.body
}

test('of two types with the same code the chosen one is added', async () => {
  const sent = await add({ data: boardRecord() })
  await waitFor(() => expect(sent()).toEqual(expect.stringContaining('"deviceCode":"BT4","hwModel":"wall-new"')))
})

test('a type that was deleted meanwhile is refused at its field', async () => {
  const errors = [{ path: 'hwModel', message: 'is not a known device type' }]
  await add({ status: 400, code: 'VALIDATION', message: 'hwModel: is not a known device type', errors })
  await waitFor(() => expect(screen.getByLabelText('Device type').getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText('is not a known device type')).toBeTruthy()
})

test.each([
  ['34:98', '34:98:7A:0C:51:E2 जस्तो MAC ठेगाना लेख्नुहोस्'],
  ['00:00:00:00:00:00', 'बोर्डकै MAC ठेगाना लेख्नुहोस्: सबै 0 वा सबै F हुँदैन']
])('the MAC %s is refused in Nepali on a Nepali page', async (mac, words) => {
  const app = await createTestApp({ areas: ['staff', 'fleet', 'devices', 'table', 'rules'], language: 'ne' })
  app.show(<AddDeviceDialog renderOwner={() => null} onClose={() => {}} />)
  const field = screen.getByRole('textbox')
  fireEvent.change(field, { target: { value: mac } })
  fireEvent.submit(field)
  const told = await screen.findByText(words)
  expect(field.getAttribute('aria-describedby')).toContain(told.id)
})
