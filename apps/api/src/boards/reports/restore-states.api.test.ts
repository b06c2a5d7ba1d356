import { Types } from 'mongoose'
import { expect, onTestFinished, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import { createDeviceModel } from '../registry/device.model.ts'
import { createActionLogModel } from './action-log.model.ts'
import { restoreStates } from './restore-states.ts'

async function aBoard() {
  const { connection, close } = await connectTestDatabase('&monitorCommands=true')
  onTestFinished(close)
  const models = { devices: createDeviceModel(connection), actionLogs: createActionLogModel(connection) }
  const { _id } = await models.devices.create({
    deviceMac: '34987A0C51E2',
    deviceCode: 'W2',
    deviceName: 'Wall',
    hwModel: 'W2',
    switch: [false, false],
    speed: [0, 0],
    bootId: 'boot-0009',
    seq: 4
  })
  return {
    client: connection.getClient(),
    restore: (whole: Types.ObjectId) => restoreStates(models, whole),
    board: () => models.devices.findById(_id).lean(),
    row: (change: { seq: number; switchIndex: number; bootId?: string; createdAt?: Date; key?: Types.ObjectId }) => ({
      _id: change.key ?? new Types.ObjectId(),
      kind: 'change',
      deviceId: _id,
      switchIndex: change.switchIndex,
      state: true,
      speed: 0,
      report: { bootId: change.bootId ?? 'boot-0009', seq: change.seq },
      createdAt: change.createdAt ?? new Date()
    }),
    async insert(rows: object[]): Promise<void> {
      for (const batch of inBatches(rows)) await models.actionLogs.collection.insertMany(batch as never)
    }
  }
}

test('a log of more than a page is read completely, with a late report at its end', async () => {
  const { restore, board, row, insert } = await aBoard()
  const whole = new Types.ObjectId()
  const rows = Array.from({ length: 1000 }, (_, index) => row({ seq: 6 + index, switchIndex: 0 }))
  await insert([...rows, row({ seq: 5, switchIndex: 1 })])
  expect(await restore(whole)).toBe(1)
  expect(await board()).toMatchObject({ switch: [true, true], seq: 1005 })
})

test('rows that other processes wrote, or whose ids only look new, change nothing', async () => {
  const { restore, board, row, insert } = await aBoard()
  const whole = new Types.ObjectId()
  const old = { bootId: 'boot-0001', switchIndex: 1, seq: 9 }
  const ofAnother = new Types.ObjectId().toHexString().replace(/^(.{8}).{10}/, '$1ffffffffff')
  await insert([
    row({ ...old, key: Types.ObjectId.createFromHexString('f'.repeat(24)) }),
    row({ ...old, key: Types.ObjectId.createFromHexString(ofAnother) }),
    row({ seq: 5, switchIndex: 0, createdAt: new Date(Date.now() - 20 * 86_400_000) })
  ])
  expect(await restore(whole)).toBe(1)
  expect(await board()).toMatchObject({ switch: [true, false], bootId: 'boot-0009', seq: 5, earlierBoots: [] })
})

test('rows that are no changes are read in pages too: any number of them delays a start without ending it', async () => {
  const { client, restore, row, insert } = await aBoard()
  const whole = new Types.ObjectId()
  await insert(
    Array.from({ length: 1500 }, (_, index) => ({ ...row({ seq: 5 + index, switchIndex: 0 }), kind: 'missed' }))
  )
  await insert([row({ seq: 9, switchIndex: 1 })])
  let pages = 0
  client.on('commandStarted', ({ command }) => (pages += command['find'] === 'switchActionLogs' ? 1 : 0))
  expect(await restore(whole)).toBe(1)
  expect(pages).toBe(2)
})
