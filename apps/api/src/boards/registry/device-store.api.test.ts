import type { ChangeCause } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { createFakeClock, until } from '@batti/kit/testing'
import { Types, type Connection } from 'mongoose'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createActionLogModel, type ActionLogDocument, type ReportName } from '../reports/action-log.model.ts'
import { changedBy } from '../reports/report-row.ts'
import { createDeviceModel } from './device.model.ts'
import { connectDatabase } from '../../platform/store/database.ts'
import { createCommandModel, type CommandState } from '../commands/command.model.ts'
import { createDeviceStore } from './device-store.ts'

const sita: ChangeCause = { by: 'user', userId: '65b000000000000000000001', userName: 'Sita', from: 'web' }
const deviceId = new Types.ObjectId()
const unowned = { id: String(deviceId), userId: null }
const at = new Date('2026-11-21T08:20:00.000Z')

let connection: Connection
let uri: string
let models: Omit<Parameters<typeof createDeviceStore>[0], 'clock' | 'log' | 'isClustered' | 'areOthersNotified'>
beforeAll(async () => {
  const database = await connectTestDatabase()
  ;({ connection, uri } = database)
  models = {
    devices: createDeviceModel(connection),
    actionLogs: createActionLogModel(connection),
    commands: createCommandModel(connection)
  }
  return database.close
})
beforeEach(async () => {
  await Promise.all([models.commands.deleteMany({}), models.actionLogs.deleteMany({})])
})

const open = ({ isShared, clock = createFakeClock() }: { isShared: boolean; clock?: Clock }) =>
  createDeviceStore({
    ...models,
    clock,
    log: pino({ level: 'silent' }),
    isClustered: isShared,
    areOthersNotified: () => false
  })
type Store = ReturnType<typeof open>

const send = (store: Store, id: string, userId: Types.ObjectId | null = null): void =>
  store.addCommand({
    kind: 'insert',
    row: {
      _id: id,
      deviceId,
      userId,
      set: [{ index: 0, on: true }],
      cause: sita,
      state: 'sent',
      sentAt: at,
      expiresAt: at
    }
  })
const end = (store: Store, id: string, state: CommandState): void =>
  store.addCommand({ kind: 'end', id, state, endedAt: at })
const log = (store: Store, commandId: string, report?: ReportName): void =>
  store.addLog({
    ...changedBy({ id: String(deviceId), mac: 'AABBCCDDEEFF', userId: null }, sita),
    _id: new Types.ObjectId(),
    commandId,
    ...(report === undefined ? {} : { report }),
    createdAt: at
  } as ActionLogDocument)
const rows = async (): Promise<string[]> =>
  (await models.commands.find().sort({ _id: 1 }).lean()).map(({ _id, state }) => `${_id} ${state}`)

test('a command that was confirmed at once is stored only in the log, where a repeated report finds it', async () => {
  const store = open({ isShared: false })
  send(store, 'at-once')
  log(store, 'at-once')
  end(store, 'at-once', 'confirmed')
  send(store, 'unanswered')
  end(store, 'unanswered', 'timeout')
  send(store, 'under-way')
  await store.drain()
  expect(await rows()).toEqual(['unanswered timeout', 'under-way sent'])

  const restarted = open({ isShared: false })
  expect(await restarted.findCause(unowned, 'at-once')).toEqual(sita)
  expect(await restarted.findCause(unowned, 'under-way')).toEqual(sita)
  expect(await restarted.findCause({ ...unowned, id: String(new Types.ObjectId()) }, 'at-once')).toBeUndefined()
  expect(await restarted.findCause(unowned, 'nobody-sent-it')).toBeUndefined()
})

test('a command that was confirmed later has a row of its own, and ends no other', async () => {
  const store = open({ isShared: false })
  send(store, 'pending')
  send(store, 'slow')
  await store.drain()
  end(store, 'slow', 'confirmed')
  await store.drain()
  expect(await rows()).toEqual(['pending sent', 'slow confirmed'])
})

test('a command that the board refused is stored with its reason, at once or later; it ends only once', async () => {
  const store = open({ isShared: false })
  const refuse = (id: string): void =>
    store.addCommand({ kind: 'end', id, state: 'failed', endedAt: at, reason: 'overload' })
  send(store, 'at-once')
  refuse('at-once')
  send(store, 'slow')
  await store.drain()
  refuse('slow')
  await store.drain()
  end(store, 'slow', 'confirmed')
  await store.drain()
  const refused = { state: 'failed', reason: 'overload', endedAt: at, cause: sita }
  expect(await models.commands.find().sort({ _id: 1 }).lean()).toEqual([
    expect.objectContaining({ _id: 'at-once', ...refused }),
    expect.objectContaining({ _id: 'slow', ...refused })
  ])
})

test('pending commands of a process that crashed expire once their time is over', async () => {
  const store = open({ isShared: false })
  send(store, 'answered')
  send(store, 'pending')
  await store.drain()
  end(store, 'answered', 'timeout')
  await store.drain()
  await store.expireForgottenCommands(at)
  expect(await rows()).toEqual(['answered timeout', 'pending sent'])
  const now = new Date(at.getTime() + 1)
  await store.expireForgottenCommands(now)
  expect(await rows()).toEqual(['answered timeout', 'pending expired'])
  expect((await models.commands.findById('pending').lean())?.endedAt).toEqual(now)
})

test('the commands of a deleted account name nobody, and those of others keep their names', async () => {
  const store = open({ isShared: false })
  send(store, 'hers', new Types.ObjectId(sita.userId))
  send(store, 'of-another', new Types.ObjectId())
  await store.drain()
  await store.forgetPerson(String(sita.userId))
  const [hers, ofAnother] = await models.commands.find().sort({ _id: 1 }).lean()
  expect(hers).toMatchObject({ userId: null, cause: { by: 'user', from: 'web' } })
  expect(Object.keys(hers?.cause ?? {})).toEqual(['by', 'from'])
  expect(ofAnother).toMatchObject({ userId: expect.any(Types.ObjectId), cause: sita })
})

test('in a cluster every command is stored, so that other instances can look it up', async () => {
  const store = open({ isShared: true })
  send(store, 'at-once')
  end(store, 'at-once', 'confirmed')
  await store.drain()
  expect(await rows()).toEqual(['at-once confirmed'])
})

test('the state of a board is restored from its log after a crash, and a row is stored once', async () => {
  const board = await models.devices.create({
    deviceMac: '34987A0C51E2',
    deviceCode: 'W2',
    deviceName: 'Wall',
    hwModel: 'W2',
    switch: [false, false],
    speed: [0, 0],
    bootId: 'boot-0001',
    seq: 4
  })
  const id = String(board._id)
  const report = { bootId: 'boot-0001', seq: 5 }
  const killed = open({ isShared: false })
  expect(await killed.restoreStates()).toBe(0)
  killed.addLog({
    ...({ _id: killed.rowId(id, report, 1), kind: 'change', createdAt: new Date() } as ActionLogDocument),
    deviceId: board._id,
    switchIndex: 1,
    state: true,
    speed: 0,
    report
  })
  killed.setStateLater(id, () => ({ _id: board._id, switch: [false, true], seq: 5 }))
  await killed.gathered()
  expect(await models.devices.findById(id).lean()).toMatchObject({ switch: [false, false], seq: 4 })

  const restarted = open({ isShared: false })
  expect(await restarted.restoreStates()).toBe(1)
  expect(await models.devices.findById(id).lean()).toMatchObject({ switch: [false, true], seq: 5 })
  const said = { ...report, switch: [false, true], speed: [0, 0], cause: 'button' as const }
  expect(await restarted.placeInLog({ id, userId: null }, said)).toEqual({ isLogged: true })
  expect(await restarted.placeInLog({ id, userId: null }, { ...said, seq: 6 })).toEqual({ isLogged: false })
  expect(await restarted.restoreStates()).toBe(0)
})

test.each([
  ['back', -86_400_000],
  ['forward', 86_400_000]
])(
  'states are written soon after the clock was set %s, because later rows have ids far from the mark',
  async (_, byMs) => {
    const clock = createFakeClock()
    const store = open({ isShared: false, clock })
    await store.restoreStates()
    const { _id } = await models.devices.create({
      deviceMac: new Types.ObjectId().toHexString().slice(-12).toUpperCase(),
      deviceCode: 'W1',
      deviceName: 'Wall',
      hwModel: 'W1',
      switch: [false],
      speed: [0]
    })
    const id = String(_id)
    const change = (): Promise<void> => {
      log(store, 'none')
      return store.stored()
    }
    const isStored = async () => (await models.devices.findById(id).lean())?.switch[0] === true
    store.setStateLater(id, () => ({ _id, switch: [true] }))
    await change()
    await store.stored()
    expect(await isStored()).toBe(false)
    clock.step(byMs)
    await change()
    await until('the state is stored', isStored)
    const later = (): void => store.setStateLater(id, () => ({ _id, switch: [false] }))
    later()
    await change()
    await store.stored()
    expect(await isStored()).toBe(true)
    await store.drain()
  }
)

test('a report is in the log as soon as its row waits to be written', async () => {
  const store = open({ isShared: false })
  const said = { bootId: 'boot-0001', switch: [true], speed: [0], cause: 'button' as const }
  const isLogged = async (seq: number) => (await store.placeInLog(unowned, { ...said, seq }))?.isLogged
  expect(await isLogged(7)).toBe(false)
  log(store, 'none', { bootId: 'boot-0001', seq: 7 })
  expect(await Promise.all([isLogged(7), isLogged(8)])).toEqual([true, false])
})

test('what is in the log is unknown while rows wait for a database that is away, and while the log cannot be read', async () => {
  const own = await connectDatabase(uri)
  const options = {
    devices: createDeviceModel(own),
    actionLogs: createActionLogModel(own),
    commands: createCommandModel(own),
    clock: createFakeClock(),
    log: pino({ level: 'silent' }),
    isClustered: true,
    areOthersNotified: () => false
  }
  const [reading, writing] = [createDeviceStore(options), createDeviceStore(options)]
  const said = { bootId: 'boot-0001', seq: 7, switch: [true], speed: [0], cause: 'button' as const }
  expect(await reading.placeInLog(unowned, said)).toEqual({ isLogged: false })
  await own.close()
  log(writing, 'none', said)
  for (const store of [reading, writing]) {
    expect(await store.placeInLog(unowned, said)).toBeUndefined()
    expect(await store.findLogged?.(unowned.id, [])).toBeUndefined()
  }
})

test('a report received by several instances is stored once', async () => {
  const report = { bootId: 'boot-0001', seq: 5 }
  const instances = [open({ isShared: true }), open({ isShared: true })]
  for (const instance of instances) {
    for (const outlet of [0, 1]) {
      const _id = instance.rowId(String(deviceId), report, outlet)
      instance.addLog({ _id, kind: 'change', deviceId, report, createdAt: at } as ActionLogDocument)
    }
  }
  await Promise.all(instances.map((instance) => instance.drain()))
  expect(await models.actionLogs.countDocuments({ deviceId })).toBe(2)
})

test.each([
  ['before', [0, 1]],
  ['after', [1, 0]]
])('a row without a cause that is stored %s the one of the instance that knows it gives way', async (_when, order) => {
  const report = { bootId: 'boot-0001', seq: 6 }
  const causes: ChangeCause[] = [{ by: 'unknown', from: 'board' }, sita]
  for (const turn of order) {
    const store = open({ isShared: true })
    const cause = causes[turn]
    if (cause === undefined) throw new Error('a cause')
    store.addLog({
      ...changedBy({ id: String(deviceId), mac: 'AABBCCDDEEFF', userId: null }, cause),
      _id: store.rowId(String(deviceId), report, 0),
      commandId: 'of-the-other',
      report,
      createdAt: at
    } as ActionLogDocument)
    await store.drain()
  }
  const stored = await models.actionLogs.find({ deviceId }).lean()
  expect(stored).toEqual([expect.objectContaining({ cause: { by: 'user', userId: sita.userId }, userName: 'Sita' })])
})

test('a change is in the log if the last row of its outlet before it, in that boot, has that state', async () => {
  const board = new Types.ObjectId()
  const rowOf = (seq: number, switchIndex: number, state: boolean, bootId = 'boot-0001') =>
    ({
      _id: new Types.ObjectId(),
      kind: 'change',
      deviceId: board,
      report: { bootId, seq },
      switchIndex,
      state,
      speed: 0,
      createdAt: at
    }) as ActionLogDocument
  const [one, other] = [open({ isShared: true }), open({ isShared: true })]
  for (const row of [rowOf(4, 0, true), rowOf(5, 0, false), rowOf(7, 0, true), rowOf(4, 1, true)]) one.addLog(row)
  await one.drain()
  const changes = [rowOf(6, 0, false), rowOf(6, 0, true), rowOf(8, 0, true), rowOf(6, 1, true, 'boot-0002')]
  const logged = await other.findLogged?.(String(board), changes)
  expect(changes.map((change) => logged?.has(change))).toEqual([true, false, true, false])
  expect(open({ isShared: false }).findLogged).toBeUndefined()
})
