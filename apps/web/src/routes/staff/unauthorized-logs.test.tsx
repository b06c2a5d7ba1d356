import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { Screen } from './unauthorized-logs.tsx'

test('Refresh stays in the header of an empty list: it adds nothing', async () => {
  const { show } = await createTestApp({
    areas: textsOf('/admin/unauthorized-logs'),
    server: () => ({
      data: {
        logs: [],
        byBlock: { blocked: 0, unblocked: 0 },
        byHour: [],
        total: 0,
        page: 1,
        limit: 100,
        totalPages: 0
      }
    })
  })
  show(<Screen />)
  const empty = (await screen.findByText('No unauthorized logs found')).parentElement
  expect(within(empty ?? document.body).queryByRole('button')).toBeNull()
  screen.getByRole('button', { name: 'Refresh' })
})
