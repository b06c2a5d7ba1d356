import type { AddressInfo } from 'node:net'
import { deviceSilenceMs, upTopic, type DeviceReport } from '@batti/contracts'
import { isRecord } from '@batti/kit/json'
import { until } from '@batti/kit/testing'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { createMemoryCluster, type MemoryCluster } from '../../testing/memory-cluster.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'
import type { TestInstance } from '../../testing/test-instance.ts'
import type { LiveDevice } from '../registry/live-device.ts'

let cluster: MemoryCluster
let a: TestApi
let b: TestInstance
let sita: Actor
let device: AddedDevice
const closing: (() => void)[] = []

beforeEach(async () => {
  cluster = createMemoryCluster()
  a = await startApi({ cluster })
  cluster.useClock(a.clock)
  b = await a.another()
  sita = a.person()
  device = await a.device(sita)
  await a.settled()
  await b.settled()
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await a.stop()
})

interface Update {
  bootId: string
  seq: number
  commandId?: string
  update: { switch: boolean[] }
  cause: { by: string; userId?: string }
}

/** A page at one instance, in the room of the board, with all received events in order. */
async function screenAt(instance: TestInstance) {
  const { port } = instance.server.address() as AddressInfo
  const auth = { token: await a.tokenOf(sita) }
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true, auth })
  closing.push(() => socket.disconnect())
  const updates: Update[] = []
  const others: [event: string, payload: Record<string, unknown>][] = []
  socket.on('switch-update', (update: Update) => updates.push(update))
  socket.onAny((event: string, payload: Record<string, unknown>) => others.push([event, payload]))
  const send = (event: string, payload: unknown): Promise<Record<string, unknown>> =>
    socket.timeout(60_000).emitWithAck(event, payload) as Promise<Record<string, unknown>>
  await until(
    "the screen is in the board's room",
    async () => (await send('join-user-device-room', device.mac))['ok'] === true
  )
  return {
    socket,
    updates,
    others,
    tap: async (switchIndex: number, state: boolean): Promise<string> => {
      const ack = await send('toggle-switch', { deviceMac: device.mac, switchIndex, state })
      expect(ack).toMatchObject({ ok: true })
      return String(ack['id'])
    }
  }
}
const rowsOf = () => a.models.actionLogs.find({ kind: 'change' }).sort({ createdAt: 1 }).lean()
const commandIds = (updates: Update[]) => updates.flatMap(({ commandId }) => commandId ?? [])

test('each of many taps appears once on every screen with its cause, and in one row, whichever instance gets the answer', async () => {
  const [here, there] = [await screenAt(a), await screenAt(b)]
  const ids: string[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    const at = turn % 3 === 0 ? there : here
    ids.push(await at.tap(turn % 4, turn % 8 < 4))
  }
  for (const screen of [here, there]) {
    await expect.poll(() => commandIds(screen.updates).toSorted()).toEqual(ids.toSorted())
    for (const update of screen.updates) expect(update.cause).toMatchObject({ by: 'user', userId: sita.userId })
  }
  await expect.poll(async () => (await rowsOf()).length).toBe(12)
  const emitted = (await rowsOf()).map(({ commandId, tookMs }) => `${commandId} ${typeof tookMs}`)
  expect(emitted.toSorted()).toEqual(ids.map((id) => `${id} number`).toSorted())
})

test('a tap whose answer was overtaken between instances appears on every screen, once', async () => {
  const [here, there] = [await screenAt(a), await screenAt(b)]
  device.board.isMute = true
  const ids = [await here.tap(0, true), await there.tap(1, true)]
  await until('the board has every command', () => device.board.commands.length === ids.length)
  device.board.state = [true, true, false, false]
  // Each instance receives one of them before it learns of the other.
  for (const [index, commandId] of ids.entries())
    device.board.report({ cause: 'command', commandId, result: 'applied', changed: [index] })
  for (const screen of [here, there]) {
    await expect.poll(() => commandIds(screen.updates).toSorted()).toEqual(ids.toSorted())
    expect(screen.updates.at(-1)?.update.switch).toEqual([true, true, false, false])
  }
})

test.each([
  ['is told', []],
  ['is not told', ['report-taken']]
])(
  'a change is in the log once, with its cause, where the instance that had the next report %s of it',
  async (_what, lost) => {
    const [here, there] = [await screenAt(a), await screenAt(b)]
    device.board.isMute = true
    const ids = [await here.tap(0, true), await there.tap(1, true)]
    await until('the board has every command', () => device.board.commands.length === ids.length)
    for (const kind of lost) cluster.lost.add(kind)
    for (const [index, commandId] of ids.entries()) {
      device.board.state = device.board.state.map((on, at) => on || at === index)
      device.board.report({ cause: 'command', commandId, result: 'applied', changed: [index] })
    }
    await expect.poll(async () => (await rowsOf()).length).toBe(2)
    await cluster.settled()
    a.clock.advance(60_000)
    for (const { link } of [a, b]) link.sweep()
    // The search for held rows has begun before this one.
    for (const { boards } of [a, b]) await boards.store.findLogged?.(device.id, [])
    for (const instance of [a, b]) await instance.settled()
    expect((await rowsOf()).map(({ commandId }) => String(commandId)).toSorted()).toEqual(ids.toSorted())
  }
)

test('a press at the board appears on both screens once, and in one row', async () => {
  const [here, there] = [await screenAt(a), await screenAt(b)]
  for (let turn = 0; turn < 6; turn += 1) {
    device.board.state = device.board.state.map((on, index) => (index === 1 ? !on : on))
    device.board.report({ cause: 'button', changed: [1] })
    const seqs = Array.from({ length: turn + 1 }, (_, index) => index + 2)
    for (const screen of [here, there]) await expect.poll(() => screen.updates.map(({ seq }) => seq)).toEqual(seqs)
  }
  await expect.poll(async () => (await rowsOf()).length).toBe(6)
})

test('a version that a board says in each report is told once on every screen, whichever instance received it', async () => {
  const screens = [await screenAt(a), await screenAt(b)]
  for (const [index, osVersion] of ['7.1.0', '7.1.0', '7.1.0', '7.2.0', '7.2.0', '7.1.0'].entries()) {
    device.board.report({ cause: 'resync', osVersion })
    for (const { updates } of screens) await expect.poll(() => updates.length).toBe(index + 1)
  }
  for (const { others } of screens) {
    const versions = () => others.flatMap(([, { update }]) => (isRecord(update) && update['osVersion']) || [])
    await expect.poll(versions).toEqual(['7.1.0', '7.2.0', '7.1.0'])
  }
})

test('presence is known to every instance, whichever received it', async () => {
  const onlineAt = async (instance: TestInstance) =>
    (await instance.call('GET', `/devices/${device.id}`, sita)).data.isOnline as boolean
  for (let turn = 0; turn < 3; turn += 1) {
    device.board.disconnect()
    await expect.poll(() => Promise.all([onlineAt(a), onlineAt(b)])).toEqual([false, false])
    device.board.connect()
    await expect.poll(() => Promise.all([onlineAt(a), onlineAt(b)])).toEqual([true, true])
  }
})

test('a board is online while one instance hears it; silent at all of them, it goes offline once', async () => {
  const [here, there] = [await screenAt(a), await screenAt(b)]
  const sweepBoth = (): void => [a, b].forEach((instance) => instance.link.sweep())
  for (let minute = 0; minute < 4; minute += 1) {
    a.clock.advance(60_000)
    a.broker.heartbeat()
    sweepBoth()
  }
  await until('the instance has the lease of the board', () => cluster.leases.has(device.id))
  expect(a.boards.directory.peek(device.id)?.isOnline).toBe(true)
  a.clock.advance(deviceSilenceMs + 6000)
  sweepBoth()
  const gone = (screen: typeof here) =>
    screen.others.filter(([event, { update }]) => event === 'update-from-device' && isOffline(update)).length
  await expect.poll(() => [gone(here), gone(there)]).toEqual([1, 1])
})

test('a board stays online where the wall clock is set forward', async () => {
  const here = await screenAt(a)
  const sweepBoth = (): void => [a, b].forEach((instance) => instance.link.sweep())
  for (let minute = 0; minute < 4; minute += 1) {
    a.clock.advance(60_000)
    a.broker.heartbeat()
    sweepBoth()
  }
  await until('the instance has the lease of the board', () => cluster.leases.has(device.id))
  a.clock.step(deviceSilenceMs + 60_000)
  a.clock.advance(6000)
  sweepBoth()
  await cluster.settled()
  await a.settled()
  expect(a.boards.directory.peek(device.id)?.isOnline).toBe(true)
  expect(here.others.some(([, { update }]) => isOffline(update))).toBe(false)
})

const isOffline = (update: unknown): boolean => JSON.stringify(update).includes('"isOnline":false')

test('an old will at another instance does not end a newer connection', async () => {
  const status = (online: boolean, conn: number): void =>
    a.broker.say(upTopic(device.id, 'status'), { online, bootId: `boot-${device.id.slice(-12)}`, conn })
  status(true, 5)
  status(false, 4)
  await cluster.settled()
  await a.settled()
  await b.settled()
  await expect
    .poll(() => [a, b].map((instance) => instance.boards.directory.peek(device.id)?.isOnline ?? true))
    .toEqual([true, true])
  await expect.poll(async () => (await a.models.devices.findById(device.id).lean())?.isOnline).toBe(true)
})

/** Cuts off or reconnects the instances. All events until then have been handled, and the screens told everything anew. */
async function turnInstances(to: boolean): Promise<void> {
  const catchUps = (): number[] => [a, b].map(({ logged }) => logged().split('screens were refreshed').length)
  const before = catchUps()
  cluster.turn(to)
  for (const index of [0, 1])
    await until('the screens are told everything anew', () => (catchUps()[index] ?? 0) > (before[index] ?? 0))
}

test('without Redis each instance receives everything and nothing is reported twice; with it again screens are refreshed', async () => {
  const [here, there] = [await screenAt(a), await screenAt(b)]
  const before = await here.tap(0, true)
  await expect.poll(() => commandIds(there.updates)).toEqual([before])
  await turnInstances(false)
  const meanwhile = [await here.tap(1, true), await there.tap(2, true)]
  for (const screen of [here, there])
    await expect.poll(() => commandIds(screen.updates).toSorted()).toEqual([before, ...meanwhile].toSorted())
  const screens = [here, there].map(({ updates, others }) => ({
    updates,
    others,
    seen: [updates.length, others.length]
  }))
  await turnInstances(true)
  for (const { updates, others, seen } of screens) {
    await expect
      .poll(() => updates.slice(seen[0]))
      .toMatchObject([{ update: { switch: [true, true, true, false] }, deviceMac: device.mac }])
    await until('the screen knows every switch', () =>
      others.slice(seen[1]).some(([, { update }]) => hasEverything(update))
    )
    expect(updates.at(-1)?.commandId).toBeUndefined()
  }
  const after = await there.tap(3, true)
  for (const screen of [here, there])
    await expect.poll(() => commandIds(screen.updates).toSorted()).toEqual([before, ...meanwhile, after].toSorted())
  await expect.poll(async () => (await rowsOf()).length).toBe(4)
})
const hasEverything = (update: unknown): boolean =>
  typeof update === 'object' && update !== null && 'switchNames' in update && 'setName' in update

test('a session revoked while instances were disconnected ends its socket once they are connected again', async () => {
  const there = await screenAt(b)
  const ended = new Promise<string>((done) => there.socket.once('disconnect', done))
  cluster.turn(false)
  await a.connection.collection('sessions').deleteMany({})
  cluster.turn(true)
  await expect(ended).resolves.toBe('io server disconnect')
})

test('a session that ends while instances are disconnected ends its socket at the other instance anyway', async () => {
  const there = await screenAt(b)
  const ended = new Promise<string>((done) => there.socket.once('disconnect', done))
  await turnInstances(false)
  expect((await a.call('POST', '/user/logout', sita)).statusCode).toBe(200)
  await expect(ended).resolves.toBe('io server disconnect')
})

test("a board that changes owner while instances are disconnected is lost to the former owner's screens and commands", async () => {
  const there = await screenAt(b)
  await turnInstances(false)
  const body = { userId: a.person().userId }
  await a.call('PATCH', `/devices/${device.id}`, a.person('admin'), body)
  await until('the screen hears that the board is removed', () =>
    there.others.some(([event]) => event === 'device-removed')
  )
  const heard = there.updates.length
  device.board.report({ cause: 'button', changed: [1] })
  const tap = { deviceMac: device.mac, switchIndex: 0, state: true }
  expect(await there.socket.timeout(60_000).emitWithAck('toggle-switch', tap)).toMatchObject({ code: 'NOT_FOUND' })
  expect(there.socket.connected).toBe(true)
  expect(there.updates).toHaveLength(heard)
})

test('a board loaded before its latest report is stored has the state of that report', async () => {
  const all = [a, b]
  for (const index of [0, 1, 2, 3]) {
    await a.settled()
    await b.settled()
    for (const { boards } of all) boards.directory.forget(device.id)
    device.board.state = device.board.state.map((on, at) => (at === index ? !on : on))
    device.board.report({ cause: 'button', changed: [index] })
    await until('an instance knows that the switch is on', () =>
      all.some(({ boards }) => isOn(boards.directory.known(device.id), index))
    )
    await cluster.settled()
    const found = await Promise.all(all.map(({ boards }) => boards.directory.find(device.id)))
    expect(found.map((live) => isOn(live, index))).toEqual([true, true])
  }
})

test('an answer at the wrong instance is forwarded through the broker, or through Redis if no link is known', async () => {
  const here = await screenAt(a)
  const toggleAll = async (state: boolean): Promise<void> => {
    const ids = [await here.tap(0, state), await here.tap(1, state), await here.tap(2, state), await here.tap(3, state)]
    await expect.poll(() => commandIds(here.updates)).toEqual(expect.arrayContaining(ids))
  }
  await toggleAll(true)
  expect(cluster.direct).toEqual([])
  cluster.lost.add('link-stands')
  await (await a.another()).settled()
  await toggleAll(false)
  expect(cluster.direct).toContain('report-handed-over')
})

test('an answer that the instance of its command leaves unacknowledged is taken where the board repeats it', async () => {
  const here = await screenAt(b)
  cluster.join('killed')
  const answer: Partial<DeviceReport> = {
    cause: 'command',
    commandId: 'killed-1',
    result: 'applied',
    changed: [1],
    seq: 100
  }
  device.board.state = [false, true, false, false]
  const sendTwice = async (): Promise<void> => {
    cluster.direct.splice(0)
    // Each instance receives one of them.
    device.board.report(answer)
    device.board.report(answer)
    await until('both have it', () => cluster.direct.length === 2 || device.board.acks.some(({ seq }) => seq === 100))
  }
  await sendTwice()
  a.clock.advance(1999)
  await sendTwice()
  expect(cluster.direct).toEqual(['report-handed-over', 'report-handed-over'])
  expect(here.updates).toEqual([])
  a.clock.advance(1)
  await sendTwice()
  await expect.poll(() => here.updates.map(({ update }) => update.switch)).toEqual([device.board.state])
  await expect
    .poll(async () => (await rowsOf()).map(({ switchIndex, state }) => [switchIndex, state]))
    .toEqual([[1, true]])
  await expect.poll(() => device.board.acks.some(({ seq }) => seq === 100)).toBe(true)
})

test.each(['this', 'that'])(
  'an answer is logged when it arrived, however long %s instance took to forward it',
  async (turn) => {
    const [here] = [await screenAt(a), await screenAt(b)]
    device.board.isMute = true
    const ids = [await here.tap(0, true), await here.tap(1, true)]
    await until('the board has every command', () => device.board.commands.length === ids.length)
    // Each instance receives one of two messages; which of them, the first decides.
    if (turn === 'that') device.board.report({ cause: 'resync' })
    const arrivedAt = a.clock.now()
    for (const [index, commandId] of ids.entries()) {
      device.board.state = device.board.state.map((on, at) => on || at === index)
      device.board.report({ cause: 'command', commandId, result: 'applied', changed: [index] })
    }
    a.clock.advance(300)
    await expect.poll(async () => (await rowsOf()).length).toBe(2)
    for (const { createdAt } of await rowsOf()) expect(createdAt.getTime() - arrivedAt).toBeLessThan(300)
  }
)

test('a malformed answer is refused by the instance whose command it names, whichever received it', async () => {
  const here = await screenAt(a)
  const named = (await here.tap(0, true)).replace(/-.*/, '-gone')
  const before = cluster.direct.length
  for (const on of ['yes', 'no'])
    device.board.report({ cause: 'command', commandId: named, switch: on as never, result: 'applied' })
  const refused = () => device.board.acks.flatMap(({ rejected }) => rejected ?? [])
  const words = 'switch: Invalid input: expected array, received string'
  await expect.poll(refused).toEqual([words, words])
  expect(cluster.direct).toHaveLength(before)
})

test('an instance is told of a board at once if one of its screens shows it, and with a delay otherwise', async () => {
  const here = await screenAt(a)
  await cluster.settled()
  const emitted = (): string[] => cluster.calm.splice(0).filter((kind) => kind === 'report-taken')
  emitted()
  await here.tap(0, true)
  await expect.poll(() => here.updates.length).toBe(1)
  expect(emitted()).toHaveLength(1)
  await cluster.settled()
  expect([a, b].map(({ boards }) => isOn(boards.directory.known(device.id), 0))).toEqual([true, true])

  const there = await screenAt(b)
  await cluster.settled()
  await here.tap(1, true)
  await expect.poll(() => [here, there].map(({ updates }) => updates.length)).toEqual([2, 1])
  expect(emitted()).toHaveLength(0)

  there.socket.disconnect()
  // Either instance receives them; the screen at A must get those of B at once.
  await expect
    .poll(() => {
      device.board.report({ cause: 'button', changed: [2] })
      return emitted().length
    })
    .toBeGreaterThan(0)
})

test('a call to another instance after a tap returns the current state', async () => {
  const here = await screenAt(a)
  await cluster.settled()
  // In memory there: it learns only what it is told.
  await b.boards.directory.find(device.id)
  const tapHere = async (index: number): Promise<void> => {
    await here.tap(index, true)
    await until('the screen hears of the switch', () => here.updates.length > index)
  }
  const isOnThere = async (index: number, actor: Actor): Promise<boolean> => {
    const { data } = await b.call('GET', `/devices/${device.id}`, actor)
    return (data.switch as boolean[])[index] === true
  }
  cluster.calm.splice(0)
  await tapHere(0)
  expect(await isOnThere(0, a.person('admin'))).toBe(true)
  await tapHere(1)
  expect(await isOnThere(1, sita)).toBe(true)
  expect(cluster.calm).toEqual(['report-taken', 'report-taken'])
  // Sita's next call may come at any moment.
  await tapHere(2)
  expect(cluster.calm).toHaveLength(2)
  await expect.poll(() => isOnThere(2, sita)).toBe(true)
  a.clock.advance(150_000)
  await tapHere(3)
  expect(cluster.calm).toHaveLength(3)
  expect(await isOnThere(3, sita)).toBe(true)
})

test('a screen that was open before two instances were connected is updated at once', async () => {
  cluster.turn(false)
  const [here, there] = [await screenAt(a), await screenAt(b)]
  cluster.turn(true)
  await cluster.settled()
  cluster.calm.splice(0)
  const id = await here.tap(0, true)
  await expect.poll(() => commandIds(there.updates)).toEqual([id])
  expect(cluster.calm).toEqual([])
})

const isOn = (live: LiveDevice | null | undefined, index: number): boolean => live?.outlets[index]?.on === true
