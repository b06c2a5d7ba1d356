import { expect, onTestFinished, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { createActionLogModel } from './action-log.model.ts'
import { createDemoHistory } from './demo-history.ts'

const id = (last: string): string => last.padStart(24, '0')
const [owner, board, fan, evening] = [id('a'), id('b'), id('c'), id('d')]
const device = {
  id: board,
  mac: '34:98:7A:0C:51:E2',
  userId: owner,
  outlets: [{ kind: 'fan', on: false, level: 0, switchId: fan, name: 'Ceiling fan' }]
} as unknown as LiveDevice

test('a demo history looks like reports of boards, and is stored once however often it is sent', async () => {
  const { connection, close } = await connectTestDatabase()
  onTestFinished(close)
  const actionLogs = createActionLogModel(connection)
  const write = createDemoHistory({
    actionLogs,
    findDevice: (wanted) => Promise.resolve(wanted === board ? device : null)
  })
  const at = Date.parse('2026-11-20T16:15:00.000Z')
  const change = { deviceId: board, switchIndex: 0, on: true }
  const history = {
    userName: 'Sita Sharma',
    changes: [
      { ...change, at, by: 'schedule' as const, scheduleId: evening },
      { ...change, at: at + 4000, level: 140, by: 'user' as const },
      { ...change, at: at + 60_000, on: false, by: 'button' as const },
      { ...change, at, deviceId: id('e'), by: 'user' as const },
      { ...change, at, switchIndex: 7, by: 'user' as const }
    ]
  }
  await write(history)
  await write(history)
  const rows = await actionLogs.find().sort({ createdAt: 1 }).lean()
  expect(rows.map(({ description, userName, from, cause }) => [description, userName, from, cause?.by])).toEqual([
    ['Ceiling fan turned ON', '', 'schedule', 'schedule'],
    ['Ceiling fan speed set to 140', 'Sita Sharma', 'web', 'user'],
    ['Ceiling fan turned OFF', '', 'board', 'button']
  ])
  expect(rows[0]).toMatchObject({ state: true, cause: { scheduleId: evening }, createdAt: new Date(at), report: null })
  expect(rows.map(({ userId }) => String(userId))).toEqual([owner, owner, owner])
})
