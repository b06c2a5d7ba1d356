import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MonitorPermission } from '@batti/contracts'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { BoardChip } from './board-chip.tsx'
import { OwnerChip } from './owner-chip.tsx'

const now = 1_800_000_000_000
const id = 'b'.repeat(24)
const maya = {
  _id: id,
  name: 'Maya Gurung',
  email: 'maya@example.com',
  phone: '+9779841112233',
  role: 'user',
  profileImage: null,
  emailVerification: false,
  phoneVerification: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  deviceCount: 2,
  scheduleCount: 0,
  roomCount: 0
}
const list = { filters: { userId: id, deviceId: id }, setFilter: () => undefined }

async function show(permissions: MonitorPermission[]) {
  const asked: string[] = []
  const app = await createTestApp({
    areas: ['table'],
    server: ({ url }) => {
      asked.push(url)
      return { data: maya }
    }
  })
  const token = accessToken({ role: 'monitor', iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r' }, { ...sita, role: 'monitor', permissions })
  app.show(
    <>
      <OwnerChip list={list} />
      <BoardChip list={list} />
    </>
  )
  return asked
}

test('without the rights to people and boards the chips show “one person” and “one board”, and nothing is requested', async () => {
  const asked = await show(['view logs'])
  await screen.findByText('Of one person')
  await screen.findByText('Of one board')
  expect(screen.queryByText(new RegExp(id))).toBeNull()
  expect(asked.filter((url) => url.includes(id))).toEqual([])
})

test('a monitor who may see people sees the name', async () => {
  await show(['view users'])
  await screen.findByText('Of Maya Gurung')
  await screen.findByText('Of one board')
})
