import { act, screen } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { expect, test } from 'vitest'
import type { HttpRequest } from '@batti/client/transport'
import { sita, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { Screen as Board } from './staff/board.tsx'
import { Screen as Rollout } from './staff/rollout.tsx'
import { Screen as User } from './staff/user.tsx'
import { Screen as Switch } from './user/switch-detail.tsx'

const now = 1_800_000_000_000
const homeAreas = ['home', 'devices', 'switches', 'rooms', 'schedules', 'logs', 'on-times'] as const
const noId: Answer = { status: 400, code: 'VALIDATION_ERROR', message: 'id: must be an id of 24 hexadecimal digits' }
const noRecord: Answer = { status: 404, code: 'NOT_FOUND', message: 'Not found.' }

test.each([
  ['/admin/devices', Board, 'There is no such board', 'Devices'],
  ['/admin/users', User, 'There is no such user', 'Users'],
  ['/admin/rollouts', Rollout, 'There is no such rollout', 'Rollouts'],
  ['/user/switches', Switch, 'There is no such switch', 'All switches']
] as const)('%s: an unknown id is reported in words, with a link to the list', async (list, Page, words, link) => {
  for (const [id, answer] of [
    ['xyz', noId],
    ['a'.repeat(24), noRecord]
  ] as const) {
    const app = await createTestApp({
      areas: ['table', 'staff', 'fleet', 'devices', 'board', 'users', 'user-page', 'rollouts', 'switches'],
      server: () => answer
    })
    const role = list.startsWith('/admin') ? 'admin' : 'user'
    const token = accessToken({ role, iatMs: now, expMs: now + 900_000 })
    app.session.signIn({ accessToken: token, refreshToken: 'r' }, { ...sita, role, permissions: [] })
    const { unmount } = app.show(
      <Routes>
        <Route path={`${list}/:id`} element={<Page />} />
      </Routes>,
      `${list}/${id}`
    )
    await screen.findByText(words)
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    expect(document.title).toBe(`${words} · Batti`)
    const ways = screen.getAllByRole('link', { name: link })
    expect(new Set(ways.map((way) => way.getAttribute('href')))).toEqual(new Set([list]))
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(screen.queryByText(/hexadecimal/)).toBeNull()
    unmount()
  }
})

test('a switch that is deleted while its page is open is reported as missing', async () => {
  const record = switchRecord()
  let isDeleted = false
  const server = ({ url }: HttpRequest): Answer =>
    url.endsWith(`/by-id/${record._id}`) ? (isDeleted ? noRecord : { data: record }) : noRecord
  const { queryClient, show } = await createTestApp({ areas: homeAreas, server })
  show(
    <Routes>
      <Route path="/user/switches/:id" element={<Switch />} />
    </Routes>,
    `/user/switches/${record._id}`
  )
  await screen.findByRole('heading', { name: record.switchName })
  isDeleted = true
  await act(() => queryClient.invalidateQueries())
  await screen.findByText('There is no such switch')
  expect(screen.queryByRole('heading', { name: record.switchName })).toBeNull()
})
