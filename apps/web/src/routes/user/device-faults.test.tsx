import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { firstTextsOf } from '#web/app/routing/router.tsx'
import { deviceKey } from '#web/features/devices/api/get-device.ts'
import { DeviceDetailsDialog } from '#web/features/devices/components/device-details-dialog.tsx'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { ToastTexts } from '#web/test/toast-texts.tsx'

test('a Wi-Fi name that the server refuses is reported beside its field, in Nepali', async () => {
  const message = 'must be at most 32 bytes: letters outside A to Z take two or three each'
  const app = await createTestApp({
    areas: ['device-details', 'colours', 'rules', 'devices', 'switches'],
    language: 'ne',
    server: ({ method }) =>
      method === 'patch'
        ? { status: 400, code: 'VALIDATION', message, errors: [{ path: 'wifiSSID', message }] }
        : { data: boardRecord() }
  })
  app.show(<DeviceDetailsDialog device={boardRecord()} rooms={[]} presence="" onClose={() => {}} />)
  const [field] = await screen.findAllByDisplayValue(boardRecord().wifiSSID)
  if (!(field instanceof HTMLInputElement)) throw new Error('no field of the Wi-Fi name')
  fireEvent.change(field, { target: { value: 'हाम्रो घरको इन्टरनेट' } })
  fireEvent.click(screen.getByRole('button', { name: 'सुरक्षित गर्नुहोस्' }))
  const fault = await screen.findByText('बढीमा ३२ बाइट: देवनागरीको एक अक्षरले तीन बाइट लिन्छ')
  expect(field.getAttribute('aria-describedby')).toContain(fault.id)
})

test.each([
  ['setName', 'must not contain line breaks or control characters', 'Nickname'],
  ['setRoom', 'is not a room of this home', 'Assigned room'],
  ['activeColor', 'must be at most 64 characters', 'Colour']
])(
  'a refused %s is reported at its field until something is changed, and not in a toast',
  async (path, message, label) => {
    const app = await createTestApp({
      areas: ['device-details', 'colours', 'rules', 'devices', 'switches'],
      server: ({ method }) =>
        method === 'patch'
          ? { status: 400, code: 'VALIDATION', message, errors: [{ path, message }] }
          : { data: boardRecord() }
    })
    app.show(
      <>
        <DeviceDetailsDialog device={boardRecord()} rooms={[]} presence="" onClose={() => {}} />
        <ToastTexts />
      </>
    )
    fireEvent.change(await screen.findByLabelText('Nickname'), { target: { value: 'Porch' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
    const [fault] = await screen.findAllByText(message)
    expect(screen.getByLabelText(label).getAttribute('aria-describedby')).toContain(fault?.id)
    expect(screen.getAllByText(message)).toHaveLength(1)
    fireEvent.change(screen.getByLabelText('Nickname'), { target: { value: 'Porch light' } })
    expect(screen.queryByText(message)).toBeNull()
  }
)

test('open details show what was changed on another phone, except where something is typed', async () => {
  const board = boardRecord()
  let saved = { ...board, setName: 'Hall', wifiSSID: 'Attic network' }
  const app = await createTestApp({
    areas: ['device-details', 'colours', 'rules', 'devices', 'switches'],
    server: ({ method, body }) => {
      if (method === 'patch' && typeof body === 'string') saved = { ...saved, ...JSON.parse(body) }
      return { data: saved }
    }
  })
  app.queryClient.setQueryData(deviceKey(board._id), board)
  app.show(<DeviceDetailsDialog device={board} rooms={[]} presence="" onClose={() => {}} />)
  const name = screen.getByLabelText('Nickname')
  fireEvent.change(name, { target: { value: ' Porch ' } })
  act(() => void app.queryClient.setQueryData(deviceKey(board._id), saved))
  await screen.findByDisplayValue('Attic network')
  fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  const sent = () => app.requests.filter(({ method }) => method === 'patch').map(({ body }) => body)
  await waitFor(() => expect(sent()).toEqual(['{"setName":"Porch"}']))
  await waitFor(() => expect(name).toHaveProperty('value', 'Porch'))
})

test.each(['/user/devices', '/user/rooms', '/user/devices/new', '/user/register', '/user/profile', '/admin/profile'])(
  "the page %s, which shows the server's messages for fields, has the words for them",
  (path) => {
    expect(firstTextsOf(path)).toContain('rules')
  }
)
