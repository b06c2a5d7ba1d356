import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createCommandModel } from '../commands/command.model.ts'
import { createActionLogModel } from '../reports/action-log.model.ts'
import { createDeviceModel } from './device.model.ts'
import { createDeviceStore } from './device-store.ts'

test('the mark follows the states that it promises, and is written before anybody hears that they are stored', async () => {
  const { connection, close } = await connectTestDatabase('&monitorCommands=true')
  onTestFinished(close)
  const store = createDeviceStore({
    devices: createDeviceModel(connection),
    actionLogs: createActionLogModel(connection),
    commands: createCommandModel(connection),
    clock: createFakeClock(),
    log: pino({ level: 'silent' }),
    isClustered: false,
    areOthersNotified: () => false
  })
  const client = connection.getClient()
  const updates = new Map<number, string>()
  const seen: string[] = []
  client.on('commandStarted', ({ requestId, command }) => {
    if (command['update'] === undefined) return
    updates.set(requestId, String(command['update']))
    seen.push(`${updates.get(requestId)} asked`)
  })
  client.on('commandSucceeded', ({ requestId }) => {
    if (updates.has(requestId)) seen.push(`${updates.get(requestId)} stored`)
  })
  const _id = new Types.ObjectId()
  store.setStateLater(String(_id), () => ({ _id, switch: [true] }))
  await store.settle()
  expect(seen).toEqual(['devices asked', 'devices stored', 'stateMarks asked', 'stateMarks stored'])
})
