import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { actionLogRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { LogList } from './log-list.tsx'
import { WhyLine } from './why-line.tsx'

const switchId = 'c'.repeat(24)
const reasonWords = /^(Why is this on|This is why it is on)/
const none = { data: { logs: [], total: 0, page: 1, limit: 50, totalPages: 0 } }

test('it shows that it is loading, and in the same place that nothing is known', async () => {
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

test('a log that fails to load is not shown as empty', async () => {
  const app = await createTestApp({
    areas: ['logs'],
    server: () => ({ status: 500, code: 'INTERNAL', message: 'Something went wrong.' })
  })
  app.show(<WhyLine switchId={switchId} />)
  await screen.findByText('Failed to load logs')
})

test.each([
  ['beside a switch', () => <WhyLine switchId={switchId} />],
  ['in the log', () => <LogList filters={{ switchId, from: null, day: null }} isWhy />]
])('%s an earlier reason is not shown: the switch may be on for another one by now', async (_, Shown) => {
  const answers: ((rows: Answer) => void)[] = []
  const app = await createTestApp({
    areas: ['logs'],
    server: () => new Promise<Answer>((answer) => answers.push(answer))
  })
  app.queryClient.setDefaultOptions({ queries: { retry: false, staleTime: Infinity } })
  const reason = (userName: string): Answer => ({
    data: { ...none.data, logs: [actionLogRecord({ kind: 'change', switchId, state: true, userName })], total: 1 }
  })
  const { unmount } = app.show(<Shown />)
  await expect.poll(() => answers.length).toBe(1)
  await act(async () => answers[0]?.(reason('Sita')))
  await screen.findByText(reasonWords)
  unmount()

  app.show(<Shown />)
  // Read so recently that it counts as fresh elsewhere.
  await expect.poll(() => answers.length).toBe(2)
  expect(screen.queryByText(reasonWords)).toBeNull()
  await act(async () => answers[1]?.(reason('Hari')))
  await screen.findByText(reasonWords)
  expect(screen.getByText('Hari')).toBeDefined()
})
