import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { UpdateDialog } from './update-dialog.tsx'

const choice = (version: string) => ({
  version,
  filename: `wall-${version}.bin`,
  size: 1000,
  signed: true,
  createdAt: '2026-11-20T10:00:00.000Z'
})

test('a version that was withdrawn meanwhile is to be chosen anew, and is not sent again', async () => {
  const offered = [choice('2.0.0'), choice('1.9.0')]
  const app = await createTestApp({
    areas: ['staff', 'fleet', 'devices', 'firmware', 'rules'],
    server: ({ method }) => {
      if (method === 'get') return { data: offered }
      offered.shift()
      return { status: 409, code: 'CONFLICT', message: 'It was withdrawn.' }
    }
  })
  app.show(<UpdateDialog device={boardRecord({ isOnline: true })} onClose={() => {}} />)
  fireEvent.click(await screen.findByRole('radio', { name: /2\.0\.0/ }))
  const start = screen.getByRole('button', { name: 'Update' })
  fireEvent.click(start)
  await waitFor(() => expect(screen.queryByRole('radio', { name: /2\.0\.0/ })).toBeNull())
  await waitFor(() => expect(start).toHaveProperty('disabled', true))
})
