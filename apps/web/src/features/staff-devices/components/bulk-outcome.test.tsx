import { screen, waitFor } from '@testing-library/react'
import type { RolloutRecord } from '@batti/contracts'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { BulkOutcome } from './bulk-outcome.tsx'

const id = 'b'.repeat(24)
const course = (counts: RolloutRecord['counts'], fields: Partial<RolloutRecord> = {}): RolloutRecord => ({
  _id: id,
  kind: 'settings',
  fileName: null,
  version: null,
  state: 'running',
  total: 2,
  counts,
  stages: [],
  maxFailurePercent: 5,
  atOnce: 10,
  allowedHours: null,
  updateWhen: 'any',
  follow: false,
  paused: null,
  failures: [],
  set: { timezone: 'UTC' },
  createdAt: '2027-01-15T06:59:00.000Z',
  createdBy: null,
  ...fields
})

test.each([
  [{ done: 1, waiting: 1 }, '1 of 2 done', true],
  [{ done: 2 }, '2 of 2 done', false]
])('of %o shows how many are done, and of those that wait where some do', async (counts, done, someWait) => {
  const app = await createTestApp({ areas: ['fleet', 'table'], server: () => ({ data: course(counts) }) })
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  const told = () => document.querySelector('[role=dialog] [role=status]')?.textContent ?? ''
  await screen.findByText(done)
  await waitFor(() => expect(told()).toContain(done))
  expect(told().includes('take it when they return')).toBe(someWait)
})

test('of one that waits for another admin says that nothing is sent yet', async () => {
  const data = course({ waiting: 2 }, { state: 'waiting-approval' })
  const app = await createTestApp({ areas: ['fleet', 'table'], server: () => ({ data }) })
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  await screen.findByText('Nothing is sent before another admin starts it.')
})
