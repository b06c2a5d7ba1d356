import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { notify } from '#web/lib/notify.ts'
import { scheduleRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './schedules.tsx'

test('the next time of a schedule is shown in the zone of its start and its end', async () => {
  const far = scheduleRecord({
    label: 'Porch light',
    startTime: '19:30',
    timezone: 'America/New_York',
    nextRunAt: '2026-11-22T00:30:00.000Z'
  })
  const app = await createTestApp({
    areas: textsOf('/admin/schedules'),
    server: () => ({ data: { schedules: [far], total: 1, page: 1, limit: 100, totalPages: 1 } })
  })
  app.show(<Screen />)
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Porch light' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'View' }))
  expect((await screen.findByRole('dialog')).textContent).toContain('NextSaturday, 21 November 2026 at 19:30')
})

test('staff who stop a schedule between its start and its end are told that the end does not come', async () => {
  const running = scheduleRecord({
    label: 'Morning tea',
    startTime: '06:00',
    endTime: '07:00',
    nextRunAt: '2026-11-22T01:15:00.000Z'
  })
  const app = await createTestApp({
    areas: textsOf('/admin/schedules'),
    server: ({ method }) => ({
      data:
        method === 'get'
          ? { schedules: [running], total: 1, page: 1, limit: 100, totalPages: 1 }
          : { ...running, isActive: false, nextRunAt: null }
    })
  })
  const now = app.clock.now()
  const token = accessToken({ role: 'admin', iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role: 'admin', permissions: [] })
  const done = vi.spyOn(notify, 'success')
  app.show(<Screen />)
  const choose = async (name: string) => {
    fireEvent.click(await screen.findByRole('button', { name: 'Actions for Morning tea' }))
    fireEvent.click(await screen.findByRole('menuitem', { name }))
  }
  const sentence = 'Its end at 07:00 will not come: the switch stays as it is.'
  await choose('Delete')
  expect((await screen.findByRole('alertdialog')).textContent).toContain(sentence)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await choose('Set Passive')
  await expect.poll(() => done).toHaveBeenCalledWith(sentence, undefined)
})
