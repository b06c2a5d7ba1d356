import { networkError } from '@batti/client/transport'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { scheduleRecord, switchRecord } from '#web/test/fixtures.ts'
import { notify } from '#web/lib/notify.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { AdminScheduleDialog } from './admin-schedule-dialog.tsx'

const opened = scheduleRecord({
  _id: 'c'.repeat(24),
  userId: 'a'.repeat(24),
  deviceId: { _id: 'd'.repeat(24), deviceName: 'Wall 4', setName: 'Hall' },
  switchId: { _id: 'e'.repeat(24), switchName: 'Lamp' }
})

test('a schedule that another admin sets passive meanwhile is not set active by an open form', async () => {
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

test('a schedule whose answer was lost is found, and counts as created', async () => {
  const ids = { userId: 'a'.repeat(24), deviceId: 'd'.repeat(24) }
  const lamp = switchRecord({ ...ids, _id: 'e'.repeat(24), switchName: 'Lamp', switchIndex: 0 })
  const made = scheduleRecord({
    userId: ids.userId,
    deviceId: { _id: ids.deviceId, deviceName: 'Wall 4', setName: 'Hall' },
    switchId: { _id: lamp._id, switchName: 'Lamp' },
    switchIndex: 0,
    startTime: '18:00',
    endTime: '23:00',
    startAction: 'on',
    endAction: 'off',
    repeatType: 'once',
    repeatDays: [],
    endDate: null
  })
  const list = { schedules: [made], total: 1, page: 1, limit: 500, totalPages: 1 }
  const failed = vi.spyOn(notify, 'error')
  let isClosed = false
  const app = await createTestApp({
    areas: ['schedules', 'staff', 'fleet', 'devices', 'switches', 'table', 'rules'],
    server: ({ method, url }) => {
      if (method === 'post') return Promise.reject(networkError(null))
      return { data: url.includes('/schedules') ? list : [lamp] }
    }
  })
  app.show(<AdminScheduleDialog schedule={null} onClose={() => void (isClosed = true)} />)
  const picker = screen.getByRole('combobox', { name: /^Switch/ })
  fireEvent.mouseDown(picker)
  fireEvent.click(picker)
  fireEvent.click(await screen.findByRole('option', { name: /Lamp/ }))
  fireEvent.change(screen.getByLabelText('Start'), { target: { value: '18:00' } })
  fireEvent.change(screen.getByLabelText('End'), { target: { value: '23:00' } })
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(isClosed).toBe(true))
  expect(failed).not.toHaveBeenCalled()
  expect(app.requests.filter(({ method }) => method === 'post')).toHaveLength(1)
})

test('who unticks Active between the start and the end is told before saving that the end does not come', async () => {
  const running = scheduleRecord({ startTime: '06:00', endTime: '07:00', nextRunAt: '2026-11-22T01:15:00.000Z' })
  const waiting = { ...running, nextRunAt: '2026-11-22T00:15:00.000Z' }
  const app = await createTestApp({ areas: ['schedules', 'staff', 'fleet', 'devices', 'switches', 'table', 'rules'] })
  const sentence = 'Its end at 07:00 will not come: the switch stays as it is.'
  for (const [schedule, isTold] of [
    [running, true],
    [waiting, false]
  ] as const) {
    const { unmount } = app.show(<AdminScheduleDialog schedule={schedule} onClose={() => {}} />)
    expect(screen.queryByText(sentence)).toBeNull()
    fireEvent.click(screen.getByRole('checkbox', { name: 'Active' }))
    expect(screen.queryByText(sentence) !== null).toBe(isTold)
    unmount()
  }
})

test('a weekly schedule without a day is refused beside the days, until one is chosen', async () => {
  const message = 'Please select at least one day for a weekly repeat.'
  const refusal = { status: 400, code: 'VALIDATION', message, errors: [{ path: 'repeatDays', message }] }
  const list = { schedules: [opened], total: 1, page: 1, limit: 500, totalPages: 1 }
  const answers: Answer[] = [refusal, { data: opened }]
  let isClosed = false
  const app = await createTestApp({
    areas: ['schedules', 'staff', 'fleet', 'devices', 'switches', 'table', 'rules'],
    server: ({ method, url }) =>
      (method === 'put' ? answers.shift() : undefined) ?? { data: url.includes('/schedules') ? list : [] }
  })
  app.show(<AdminScheduleDialog schedule={opened} onClose={() => void (isClosed = true)} />)
  fireEvent.click(screen.getByRole('radio', { name: 'Weekly' }))
  const save = () => fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  save()
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Friday' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  save()
  await waitFor(() => expect(isClosed).toBe(true))
  const sent = app.requests.findLast(({ method }) => method === 'put')?.body
  expect(JSON.parse(typeof sent === 'string' ? sent : '')).toMatchObject({ repeatType: 'weekly', repeatDays: ['Fri'] })
})

test('a refusal of the place of a switch is said beside the switch', async () => {
  const message = 'must be 2, the index of that switch'
  const refusal = { status: 400, code: 'VALIDATION', message, errors: [{ path: 'switchIndex', message }] }
  const list = { schedules: [opened], total: 1, page: 1, limit: 500, totalPages: 1 }
  const app = await createTestApp({
    areas: ['schedules', 'staff', 'fleet', 'devices', 'switches', 'table', 'rules'],
    server: ({ method, url }) => (method === 'put' ? refusal : { data: url.includes('/schedules') ? list : [] })
  })
  app.show(<AdminScheduleDialog schedule={opened} onClose={() => {}} />)
  fireEvent.input(screen.getByLabelText(/^Label/), { target: { value: 'Another' } })
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await screen.findByText(message)
  expect(screen.getByRole('combobox', { name: /^Switch/ }).getAttribute('aria-invalid')).toBe('true')
})
