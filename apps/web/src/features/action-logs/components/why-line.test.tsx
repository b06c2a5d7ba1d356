import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { WhyLine } from './why-line.tsx'

const switchId = 'c'.repeat(24)
const none: Answer = { data: { logs: [], total: 0, page: 1, limit: 50, totalPages: 0 } }

test('it says that it is being asked, and in the same place that nothing is known', async () => {
  let answer = (known: Answer): unknown => known
  const app = await createTestApp({ areas: ['logs'], server: () => new Promise<Answer>((give) => (answer = give)) })
  app.show(<WhyLine switchId={switchId} />)
  const asking = await screen.findByText('Asking the log why…')
  expect(asking.closest('output')).not.toBeNull()
  const lines = asking.closest('.flex')?.className
  await expect.poll(() => app.requests.length).toBe(1)
  answer(none)
  const received = await screen.findByText('Nothing is logged yet that says why.')
  expect(received.closest('.flex')?.className).toBe(lines)
})

test('a log that does not come is not told as an empty one', async () => {
  const app = await createTestApp({
    areas: ['logs'],
    server: () => ({ status: 500, code: 'INTERNAL', message: 'Something went wrong.' })
  })
  app.show(<WhyLine switchId={switchId} />)
  await screen.findByText('Failed to load logs')
})
