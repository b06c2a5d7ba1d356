import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { StaffBoardRows } from './staff-board-rows.tsx'

test('staff see the given names of a board’s switches, and a switch without one by its place alone', async () => {
  const board = boardRecord()
  const app = await createTestApp({ areas: ['devices', 'switches', 'on-times'], language: 'ne' })
  app.live.seed([board])
  app.queryClient.setQueryData([...queryKeys.switches, 'of', board._id], {
    0: switchRecord({ deviceId: board._id }),
    1: switchRecord({ _id: 's2', deviceId: board._id, switchIndex: 1, switchName: 'Switch 2' })
  })
  app.show(<StaffBoardRows device={board} />)
  const [lamp, other] = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(lamp).toMatch(/^Ceiling lamp ?स्विच १/)
  expect(other).toMatch(/^स्विच २/)
  expect(other).not.toContain('Switch 2')
})
