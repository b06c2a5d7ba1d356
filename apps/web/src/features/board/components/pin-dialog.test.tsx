import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { PinDialog } from './pin-dialog.tsx'

async function open(server: TestServer, language: 'en' | 'ne' = 'en') {
  const app = await createTestApp({ areas: textsOf('/admin/devices/:id'), server, language })
  app.show(<PinDialog device={boardRecord()} onClose={() => {}} />)
  const day = document.querySelector('input[type=date]')
  if (!(day instanceof HTMLInputElement)) throw new Error('there is no field for the day')
  return { ...app, day, pick: (value: string) => fireEvent.change(day, { target: { value } }) }
}

test('a day that has passed is refused beside its field, in the language of the page', async () => {
  const errors = [{ path: 'pinnedVersion.endsAt', message: 'must lie in the future' }]
  const message = 'pinnedVersion.endsAt: must lie in the future'
  const { day, pick, requests } = await open(() => ({ status: 400, code: 'VALIDATION', message, errors }), 'ne')
  pick('2020-01-01')
  fireEvent.submit(day.form ?? day)
  const shown = await screen.findByText('भविष्यको हुनुपर्छ')
  expect(day.getAttribute('aria-describedby')).toContain(shown.id)
  // The form takes the focus back once it can be used again.
  await waitFor(() => expect(document.activeElement).toBe(day))
  expect(requests).toHaveLength(1)
})

test('a day alone counts as typed: it is not lost without a question', async () => {
  const { day, pick } = await open(() => ({ data: null }))
  pick('2099-12-31')
  expect(day.value).toBe('2099-12-31')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await screen.findByRole('alertdialog', { name: 'Discard what you typed?' })
})

test('a day can be typed: the field shows a year of one digit too', async () => {
  const { day, pick } = await open(() => ({ data: null }))
  pick('0002-12-31')
  expect(day.value).toBe('0002-12-31')
})
