import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { scheduleRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { AdminScheduleDialog } from './admin-schedule-dialog.tsx'

test('a schedule that another admin sets passive meanwhile is not set active by an open form', async () => {
  const opened = scheduleRecord({
    _id: 'c'.repeat(24),
    userId: 'a'.repeat(24),
    deviceId: { _id: 'd'.repeat(24), deviceName: 'Wall 4', setName: 'Hall' },
    switchId: { _id: 'e'.repeat(24), switchName: 'Lamp' }
  })
  const byNow = { ...opened, isActive: false, startTime: '05:30' }
  const list = { schedules: [byNow], total: 1, page: 1, limit: 500, totalPages: 1 }
  const app = await createTestApp({
    areas: ['schedules', 'staff', 'fleet', 'devices', 'switches', 'table', 'rules'],
    server: ({ method, url }) =>
      method === 'put'
        ? { data: byNow }
        : { data: url.includes('/schedules') ? list : [], total: 0, page: 1, limit: 10, totalPages: 0 }
  })
  app.show(<AdminScheduleDialog schedule={opened} onClose={() => {}} />)
  fireEvent.input(screen.getByLabelText(/^Label/), { target: { value: 'Another' } })
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(app.requests.some(({ method }) => method === 'put')).toBe(true))
  const sent = app.requests.find(({ method }) => method === 'put')?.body
  expect(JSON.parse(typeof sent === 'string' ? sent : '')).toMatchObject({
    label: 'Another',
    startTime: '05:30',
    endTime: opened.endTime,
    isActive: false
  })
})
