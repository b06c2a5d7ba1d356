import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { OwnBoardSheet } from './own-board-sheet.tsx'

test('the switches of an own board have their names, and one that is on says since when', async () => {
  const board = boardRecord()
  const lamp = switchRecord({ deviceId: board._id })
  const other = switchRecord({ _id: 's2', deviceId: 'another board', switchIndex: 1, switchName: 'Gate' })
  const app = await createTestApp({ areas: ['devices', 'switches', 'on-times'] })
  const now = app.clock.now()
  app.live.seed([board])
  app.queryClient.setQueryData(queryKeys.mySwitches, [lamp, other])
  app.queryClient.setQueryData([...queryKeys.onTimes, 'all'], {
    timezone: 'Asia/Kathmandu',
    answeredAt: now,
    switches: [lamp, other].map(({ _id: switchId, switchName }) => ({
      switchId,
      switchName,
      days: [{ date: '2000-01-01', seconds: 0 }],
      spans: [{ from: now - 86_400_000, to: now }]
    }))
  })
  app.show(<OwnBoardSheet device={board} onAddSchedule={() => {}} onClose={() => {}} />)
  const rows = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(rows).toEqual([
    expect.stringMatching(/^Ceiling lampSwitch 1On since \d/),
    expect.stringMatching(/^Switch 2/),
    expect.stringMatching(/^Switch 3/),
    expect.stringMatching(/^Switch 4/)
  ])
})
