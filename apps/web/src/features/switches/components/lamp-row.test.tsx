import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { LampRow } from './lamp-row.tsx'

test('since when a lamp is on is never cut: its hour stands last', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches', 'on-times'] })
  app.live.seed([boardRecord()])
  app.show(<LampRow record={switchRecord({ status: true })} onSince={app.clock.now() - 86_400_000} />)
  expect(screen.getByText(/^On since .+, \d\d:\d\d$/).closest('.truncate')).toBeNull()
})
