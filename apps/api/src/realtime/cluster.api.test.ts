import type { DeviceSnapshot } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Product } from '../compose.ts'
import { startInstance, startProduct, type Person, type TestProduct } from '../testing/product.ts'
import type { TestBoard } from '../testing/test-board.ts'

let product: TestProduct
let second: { url: string; product: Product }
let sita: Person
let board: TestBoard & { mac: string }

beforeAll(async () => {
  product = await startProduct({ CLUSTER_ADAPTER: 'mongo' })
  second = await startInstance(product.settings)
  sita = await product.person()
  board = await product.board(sita)
})
afterAll(async () => {
  await second.product.stop()
  await product.stop()
})

const screenOfSecond = async (person: Person) => product.screen(person, { url: second.url })

it('a tap at one instance appears at the other, once, with its cause', async () => {
  const here = await product.screen(sita)
  const there = await screenOfSecond(sita)
  await until(
    'the other instance lets the screen in',
    async () => (await there.send('join-user-device-room', board.mac))['ok']
  )
  const ack = await here.send('toggle-switch', { deviceMac: board.mac, switchIndex: 0, state: true })
  const update = await there.next('switch-update', ({ commandId }: { commandId: string }) => commandId === ack['id'])
  const cause = { by: 'user', userId: sita.id, from: 'web' }
  expect(update).toMatchObject({ switchIndex: 0, state: true, cause })
  await until(
    'the row is in the log',
    async () => (await product.call('GET', '/switch-action-logs', { as: sita })).body.data['total'] > 0
  )
  const { body } = await product.call('GET', '/switch-action-logs', { as: sita })
  expect(body.data).toMatchObject({ total: 1, logs: [{ from: 'web', cause }] })
})

it('a new name set at one instance reaches the screens of the other', async () => {
  const there = await screenOfSecond(sita)
  await there.send('join-user-device-room', board.mac)
  await product.call('PATCH', `/devices/${board.credentials.deviceId}`, { as: sita, body: { setName: 'Attic' } })
  await there.next('update-from-device', ({ update }: { update: { setName?: string } }) => update.setName === 'Attic')
})

it('a board that is deleted at one instance can no longer be joined or switched at the other', async () => {
  const gone = await product.board(sita)
  const there = await screenOfSecond(sita)
  await until(
    'the other instance lets the screen in',
    async () => (await there.send('join-user-device-room', gone.mac))['ok']
  )
  const here = await product.screen(sita)
  expect((await here.send('join-user-device-room', gone.mac))['ok']).toBe(true)
  await product.call('DELETE', `/devices/${gone.credentials.deviceId}`, { as: sita })
  for (const screen of [here, there])
    expect(await screen.next('device-removed')).toEqual({ deviceMac: gone.mac, reason: 'deleted' })
  await until(
    'the other instance lets nobody in',
    async () => (await there.send('join-user-device-room', gone.mac))['code'] === 'NOT_FOUND'
  )
  const ack = await there.send('toggle-switch', { deviceMac: gone.mac, switchIndex: 0, state: true })
  expect(ack).toMatchObject({ ok: false, code: 'NOT_FOUND' })
})

it('a log-out at one instance ends the socket at the other', async () => {
  const visitor = await product.person()
  const there = await screenOfSecond(visitor)
  const { body } = await product.call('GET', '/user/sessions', { as: visitor })
  const { sessions } = body.data as unknown as { sessions: { id: string }[] }
  await product.call('DELETE', `/user/sessions/${sessions[0]?.id}`, { as: visitor })
  await until('the socket is closed', () => !there.socket.connected)
})

it('what an instance stored counts at the other, although it was killed before it told of it', async () => {
  const { platform, boards } = second.product.parts
  const [former, next, visitor] = [await product.person(), await product.person(), await product.person()]
  const [shown, unshown] = [await product.board(former), await product.board(visitor)]
  const there = await screenOfSecond(former)
  await until(
    'the other instance lets the screen in',
    async () => (await there.send('join-user-device-room', shown.mac))['ok']
  )
  const { deviceId } = unshown.credentials
  const ownerThere = async () => (await boards.directory.find(deviceId))?.userId
  await until('the other instance knows the board', async () => (await ownerThere()) === visitor.id)
  const macs = [shown.mac, unshown.mac]
  const change = { $set: { userId: new Types.ObjectId(next.id) } }
  await platform.connection.collection('devices').updateMany({ deviceMac: { $in: macs } }, change)
  expect(await there.next('device-removed')).toEqual({ deviceMac: shown.mac, reason: 'moved' })
  await until('the board has its new owner', async () => (await ownerThere()) === next.id)
  await platform.connection.collection('sessions').deleteMany({ userId: new Types.ObjectId(former.id) })
  await until('the socket is closed', () => !there.socket.connected)
})

it('an instance learns what a board told another while it started', async () => {
  const leaving = await product.board(sita)
  const { deviceId } = leaving.credentials
  const here = await product.screen(sita)
  await until(
    'the board is online',
    async () => ((await here.send('join-user-device-room', leaving.mac))['device'] as DeviceSnapshot).isOnline
  )
  const third = await startInstance(product.settings, {
    async whileStarting({ parts }) {
      // As its hooks do when a board connects.
      expect((await parts.boards.directory.find(deviceId))?.isOnline).toBe(true)
      leaving.press(0)
      await here.next('switch-update', ({ switchIndex }: { switchIndex?: number }) => switchIndex === 0)
      leaving.vanish()
      await here.next(
        'update-from-device',
        ({ update }: { update: { isOnline?: boolean } }) => update.isOnline === false
      )
    }
  })
  onTestFinished(() => third.product.stop())
  const { directory } = third.product.parts.boards
  await until('it is offline there', async () => (await directory.find(deviceId))?.isOnline === false)
  expect((await directory.find(deviceId))?.outlets.map(({ on }) => on)).toEqual([true, false, false, false])
})
