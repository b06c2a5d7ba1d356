import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { expect, test } from 'vitest'
import { actionLogRecord, boardRecord, scheduleRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './user.tsx'

const now = 1_800_000_000_000
const id = 'c'.repeat(24)
const at = '2026-11-20T10:00:00.000Z'
const gita = {
  _id: id,
  name: 'Gita Rai',
  email: 'gita@example.com',
  phone: '+9779841112233',
  role: 'user',
  profileImage: null,
  emailVerification: false,
  phoneVerification: true,
  createdAt: at,
  deviceCount: 2,
  scheduleCount: 0,
  roomCount: 0
}
const info = { page: 1, limit: 10, totalPages: 1 }
const change = (_id: string) => ({
  _id,
  at,
  actor: { _id: 'd'.repeat(24), name: 'Anil', role: 'admin' },
  action: 'user.update',
  target: { kind: 'user', _id: id, label: 'Gita Rai' },
  changes: [{ field: 'role', before: 'admin', after: 'user' }],
  ip: '10.0.0.1',
  requestId: 'r1'
})
const schedule = scheduleRecord({
  label: 'Tea',
  userId: id,
  startTime: '06:15',
  endTime: '06:30',
  intervalSeconds: 900
})
const actionLog = actionLogRecord({
  description: 'पंखा speed set to 140',
  userName: 'Gita Rai',
  speed: 140,
  createdAt: at
})
const answers: Record<string, unknown> = {
  [`/users/${id}`]: gita,
  [`/users/${id}/sessions`]: {
    sessions: [{ id: 's1', userAgent: 'Firefox/130 Android', ip: '10.0.0.2', createdAt: at, lastUsedAt: at }]
  },
  '/devices': {
    ...info,
    total: 2,
    devices: [
      boardRecord({ isOnline: false, health: { score: 60, reasons: ['silent'] } }),
      boardRecord({ _id: 'e'.repeat(24) })
    ]
  },
  '/rooms': { ...info, total: 0, rooms: [] },
  '/schedules': { ...info, total: 0, schedules: [] },
  '/switch-action-logs': { ...info, total: 0, logs: [] },
  '/audit-logs': { ...info, total: 1, logs: [change('1')] }
}

async function show(role: 'admin' | 'monitor', permissions: string[] = [], language: 'en' | 'ne' = 'en') {
  const app = await createTestApp({
    language,
    areas: textsOf('/admin/users/:id'),
    server: ({ url }) => ({ data: answers[url.replace('/api/v1', '').split('?')[0] ?? ''] ?? null })
  })
  const token = accessToken({ role, iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role, permissions })
  app.show(
    <Routes>
      <Route path="/:role/users/:id" element={<Screen />} />
    </Routes>,
    `/${role}/users/${id}`
  )
  await screen.findByRole('heading', { level: 1, name: 'Gita Rai' })
  return { ...app, asked: () => app.requests.map(({ url }) => url.replace('/api/v1', '')) }
}
const part = (name: string) => screen.findByRole('region', { name })

test('an admin sees boards, records, rooms, sessions and recorded changes', async () => {
  const { asked } = await show('admin')
  await screen.findByText('2 boards, 1 online. 1 needs a hand. The email address is not confirmed.')
  const boards = await part('Devices')
  expect(within(boards).getAllByRole('listitem')).toHaveLength(2)
  expect(within(boards).getByText('silent')).toBeTruthy()
  within(boards).getByRole('img', { name: 'Offline' })
  within(boards).getByRole('img', { name: 'Online' })
  // Lines are cut on a narrow screen.
  expect(within(boards).getAllByTitle('Living room wall')).toHaveLength(2)
  expect(within(boards).getAllByTitle(/34:98:7A:0C:51:E2$/)).toHaveLength(2)
  expect(await within(await part('Logged in')).findByText('Firefox on Android')).toBeTruthy()
  expect(await within(await part('Rooms')).findByText('No rooms found')).toBeTruthy()
  // Changes by the user and changes to the user are one list, each row once.
  const changes = await part('Recent changes')
  await within(changes).findByRole('button')
  expect(within(changes).getAllByRole('button')).toHaveLength(1)
  fireEvent.click(within(changes).getByRole('button'))
  await screen.findByRole('dialog', { name: 'Gita Rai' })
  expect(asked()).toContain(`/audit-logs?target=${id}&limit=10`)
})

test('a name that was changed elsewhere under an open form is not set back by it', async () => {
  const { queryClient, requests } = await show('admin')
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  const phone = await screen.findByLabelText(/^Phone/)
  act(() => void queryClient.setQueryData(['users', 'by-id', id], { ...gita, name: 'Gita Lama' }))
  await screen.findByRole('heading', { level: 1, name: 'Gita Lama', hidden: true })
  fireEvent.input(phone, { target: { value: '9800000000' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  const sent = () => requests.filter(({ method }) => method === 'patch').map(({ body }) => body)
  await waitFor(() => expect(sent()).toEqual(['{"phone":"9800000000"}']))
})

test('an address with signs of a link is the only receiver of its mail', async () => {
  const before = { ...answers }
  try {
    const email = 'gita?bcc=ram%40example.org&x@example.com'
    answers[`/users/${id}`] = { ...gita, email }
    await show('admin')
    const link = await screen.findByRole('link', { name: email })
    expect(link.getAttribute('href')).toBe('mailto:gita%3Fbcc%3Dram%2540example.org%26x@example.com')
  } finally {
    Object.assign(answers, before)
  }
})

test('of many boards the first ten are shown; the sentence counts all', async () => {
  const before = { ...answers }
  try {
    const devices = Array.from({ length: 12 }, (_, index) => boardRecord({ _id: String(index).padStart(24, '0') }))
    answers['/devices'] = { ...info, total: 12, devices }
    await show('admin')
    await screen.findByText(/^12 boards, 12 online\./)
    expect(within(await part('Devices')).getAllByRole('listitem')).toHaveLength(10)
  } finally {
    Object.assign(answers, before)
  }
})

test('a monitor sees the parts of the permissions, requests no others, and can change nothing', async () => {
  const { asked } = await show('monitor', ['view users', 'view schedules'])
  await screen.findByText('2 boards. The email address is not confirmed.')
  await part('Schedules')
  await waitFor(() => expect(asked().some((url) => url.startsWith('/schedules'))).toBe(true))
  for (const name of ['Devices', 'Rooms', 'Logged in', 'Recent changes', 'Recent actions'])
    expect(screen.queryByRole('region', { name })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(asked().map((url) => url.split('?')[0])).toEqual([`/users/${id}`, '/schedules'])
})

test('in Nepali nothing of the page remains in English: schedules, changes, permissions', async () => {
  const before = { ...answers }
  try {
    answers[`/users/${id}`] = { ...gita, role: 'monitor', permissions: ['view logs'] }
    answers['/schedules'] = { ...info, total: 1, schedules: [schedule] }
    answers['/switch-action-logs'] = { ...info, total: 1, logs: [actionLog] }
    await show('admin', [], 'ne')
    await screen.findByText(/०६:१५/)
    await screen.findByText('पंखा को गति १४० भयो')
    expect(screen.getByText('अभिलेख हेर्ने')).toBeTruthy()
    expect(screen.queryByText(/view logs|speed set|06:15/)).toBeNull()
  } finally {
    Object.assign(answers, before)
  }
})
