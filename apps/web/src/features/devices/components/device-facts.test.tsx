import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { DeviceFacts } from './device-facts.tsx'

test.each([
  ['en', '−61 dBm'],
  ['ne', '−६१ dBm']
] as const)("a board's signal has a minus sign, as in all lists: %s", async (language, words) => {
  const app = await createTestApp({ areas: ['device-details'], language })
  app.show(<DeviceFacts device={boardRecord({ wifiRSSI: -61 })} />)
  expect(screen.getByText(words)).toBeTruthy()
})
