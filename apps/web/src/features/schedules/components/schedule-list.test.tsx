import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useSchedules } from '#web/lib/use-schedules.ts'
import { scheduleRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { ScheduleList } from './schedule-list.tsx'

const tea = scheduleRecord({ label: 'Morning tea', startTime: '06:00', endTime: '07:00', intervalSeconds: 3600 })

function Shown() {
  const { data = [] } = useSchedules()
  return <ScheduleList schedules={data} onEdit={() => {}} />
}

test('a schedule that was set passive can be set active at once, while the list is still asked for anew', async () => {
  const asked: unknown[] = []
  let isActive = true
  const app = await createTestApp({
    areas: ['schedules', 'switches', 'devices'],
    server: ({ method, url, body }): Answer | Promise<Answer> => {
      // The list never comes again.
      if (method.toUpperCase() === 'GET') return new Promise<Answer>(() => {})
      if (!url.includes('toggle')) return { status: 404, code: 'NOT_FOUND', message: url }
      asked.push(body)
      isActive = !isActive
      return { data: { ...tea, isActive } }
    }
  })
  app.queryClient.setQueryData(queryKeys.schedules, [tea])
  app.show(<Shown />)
  // Its name stays the schedule's, whatever it says beside it: a reader says "on" and "off" after it.
  fireEvent.click(await screen.findByRole('switch', { name: 'Morning tea', checked: true }))
  fireEvent.click(await screen.findByRole('switch', { name: 'Morning tea', checked: false }))
  await screen.findByRole('switch', { name: 'Morning tea', checked: true })
  // What is wanted is said: pressed again after a lost answer, it does not become the other.
  expect(asked).toEqual(['{"isActive":false}', '{"isActive":true}'])
})
