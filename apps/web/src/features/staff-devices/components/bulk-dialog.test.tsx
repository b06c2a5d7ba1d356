import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import type { BulkKind } from '#web/features/staff-devices/bulk-change.ts'
import { BulkDialog } from './bulk-dialog.tsx'

/** Opens the dialog on a server that refuses the change because of one setting. */
async function refusing(kind: BulkKind, path: string, rule: string) {
  const app = await createTestApp({
    areas: ['staff', 'fleet', 'devices', 'table', 'rules', 'colours'],
    language: 'ne',
    server: ({ url }) =>
      url.includes('preview')
        ? { data: { total: 1, excluded: [] } }
        : { status: 400, code: 'VALIDATION', message: `${path}: ${rule}`, errors: [{ path, message: rule }] }
  })
  app.show(
    <BulkDialog
      kind={kind}
      target={{ deviceIds: ['d'.repeat(24)] }}
      ownerId={null}
      pathOf={() => null}
      onGone={() => {}}
      onClose={() => {}}
    />
  )
  // Until the number of boards is known, none is named.
  screen.getByRole('button', { name: 'फेर्नुहोस्' })
  const submit = await screen.findByRole<HTMLButtonElement>('button', { name: /बोर्ड फेर्नुहोस्/ })
  return async () => {
    await waitFor(() => expect(submit.disabled).toBe(false))
    fireEvent.click(submit)
  }
}

test('a time zone that the server does not know is named at its field until it is changed', async () => {
  const send = await refusing('zone', 'set.timezone', 'is not a known time zone such as Asia/Kathmandu')
  const field = screen.getByRole('textbox')
  fireEvent.change(field, { target: { value: 'Mars/Olympus' } })
  await send()
  const told = await screen.findByText('Asia/Kathmandu जस्तो समय क्षेत्रको नाम लेख्नुहोस्')
  expect(field.getAttribute('aria-describedby')).toContain(told.id)
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(screen.queryByText(/set\.timezone/)).toBeNull()
  fireEvent.change(field, { target: { value: 'Asia/Tokyo' } })
  expect(field.getAttribute('aria-invalid')).toBeNull()
})

test('a server that is no host name is named at its field', async () => {
  const rule = 'must be a host name or address alone, such as batti.local or 192.168.1.20'
  const send = await refusing('server', 'set.api.host', rule)
  const [host, port] = [screen.getByLabelText('सर्भरको ठेगाना'), screen.getByLabelText('सर्भर पोर्ट')]
  fireEvent.change(host, { target: { value: 'http://batti.local' } })
  fireEvent.change(port, { target: { value: '443' } })
  await send()
  await screen.findByText(/^पोर्टबिनाको सर्भरको नाम/)
  expect(host.getAttribute('aria-invalid')).toBe('true')
  expect(port.getAttribute('aria-invalid')).toBeNull()
})
