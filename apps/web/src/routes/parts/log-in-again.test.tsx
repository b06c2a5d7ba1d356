import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { LogInAgain } from './log-in-again.tsx'

test('the login above a page has the focus, also if its texts were loaded before', async () => {
  const app = await createTestApp({ areas: ['accounts'] })
  app.show(<LogInAgain user={sita} />)
  expect(document.activeElement).toBe(await screen.findByLabelText('Email or phone'))
})
