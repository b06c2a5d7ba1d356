import { until } from '@batti/kit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../testing/open-screen.ts'
import { startProduct, type Person, type TestProduct } from '../testing/product.ts'
import type { TestBoard } from '../testing/test-board.ts'

let product: TestProduct
let sita: Person
let board: TestBoard & { mac: string }
let screen: Screen

beforeAll(async () => {
  product = await startProduct()
  await moveIn()
})
afterAll(() => product.stop())

/** Gives the tests that follow a person with a board of which nothing is known, and a screen that shows it. */
async function moveIn(): Promise<void> {
  sita = await product.person()
  board = await product.board(sita)
  screen = await product.screen(sita)
  await screen.send('join-user-device-room', board.mac)
}
const switchIdOf = async (switchIndex: number): Promise<string> =>
  (await product.call('GET', `/switches/by-device/${board.credentials.deviceId}/${switchIndex}`, { as: sita })).body
    .data['_id']
const logsOf = async (person: Person) =>
  (await product.call('GET', '/switch-action-logs', { as: person })).body.data as unknown as {
    logs: { description: string; from: string; commandId: string | null; report: { bootId: string; seq: number } }[]
    total: number
  }

/** How many it received. It is also sent acknowledgements of its reports, whenever these are stored. */
const commandsOf = ({ heard }: TestBoard): number => heard.filter(({ name }) => name === 'switch-update').length

describe('one tap', () => {
  it('reaches the board, and every open screen shows what the board reports', async () => {
    await moveIn()
    const other = await product.screen(sita)
    await other.send('join-user-device-room', board.mac.toLowerCase().replaceAll(':', '-'))
    const ack = await screen.send('toggle-switch', { deviceMac: board.mac, switchIndex: 1, state: true })
    expect(ack).toMatchObject({ ok: true, id: expect.any(String) as string })
    for (const each of [screen, other]) {
      const update = await each.next('switch-update', ({ commandId }: { commandId: string }) => commandId === ack['id'])
      expect(update).toMatchObject({
        deviceMac: board.mac,
        isOnline: true,
        switchIndex: 1,
        state: true,
        update: { switch: [false, true, false, false] },
        cause: { by: 'user', userId: sita.id, from: 'web' }
      })
    }
    // Reading the log flushes its pending rows.
    expect(await logsOf(sita)).toMatchObject({ total: 1 })
    expect((await logsOf(sita)).logs[0]).toMatchObject({
      description: 'Switch 2 turned ON',
      from: 'web',
      commandId: ack['id']
    })
    await until('the report is acknowledged', () => board.acks.at(-1)?.seq === 2)
  })

  it('by switch id is answered with switchToggled once the board has confirmed', async () => {
    const switchId = await switchIdOf(0)
    await screen.send('toggleSwitch', { switchId, state: true })
    await expect(screen.next('switchToggled')).resolves.toEqual({ switchId, switchName: 'Switch 1', state: true })
  })

  it('over HTTP waits for the board', async () => {
    const path = `/switches/by-id/${await switchIdOf(2)}`
    const answer = await product.call('PATCH', path, { as: sita, body: { status: true } })
    expect(answer).toMatchObject({ status: 200, body: { data: { status: true } } })
    expect(board.state[2]).toBe(true)
  })

  it('for all switches is one command', async () => {
    const before = commandsOf(board)
    const ack = await screen.send('toggle-all-switches', { deviceMac: board.mac, state: false })
    const update = await screen.next('switch-update', ({ commandId }: { commandId: string }) => commandId === ack['id'])
    expect(update).toMatchObject({ update: { switch: [false, false, false, false] } })
    expect(update).not.toHaveProperty('switchIndex')
    expect(commandsOf(board)).toBe(before + 1)
  })

  it('on the wall appears on the screen, with the button as its cause', async () => {
    const wasOn = board.state[3]
    board.press(3)
    const update = await screen.next('switch-update', ({ cause }: { cause: { by: string } }) => cause.by === 'button')
    expect(update).toMatchObject({ switchIndex: 3, state: !wasOn, cause: { by: 'button', from: 'board' } })
  })

  it('that the board never answers is reported as no response, and nothing changes', async () => {
    const own = await startProduct({}, { boardDeadlineMs: 100 })
    const ram = await own.person()
    const mute = await own.board(ram)
    mute.isMute = true
    const theirs = await own.screen(ram)
    await theirs.send('join-user-device-room', mute.mac)
    const { body } = await own.call('GET', `/switches/by-device/${mute.credentials.deviceId}/0`, { as: ram })
    const switchId: string = body.data['_id']
    const path = `/switches/by-id/${switchId}`
    const answering = own.call('PATCH', path, { as: ram, body: { status: true } })
    await theirs.send('toggle-switch', { deviceMac: mute.mac, switchIndex: 0, state: true })
    await expect(theirs.next('deviceStatus')).resolves.toEqual({
      message: '⚠️ No response from device. Restoring state.',
      deviceMac: mute.mac,
      code: 'DEVICE_NO_RESPONSE'
    })
    expect(await answering).toMatchObject({ status: 504, body: { code: 'DEVICE_NO_RESPONSE' } })
    expect((await own.call('GET', path, { as: ram })).body.data).toMatchObject({ status: false })
    await own.stop()
  })

  it.each([
    ['toggle-switch', { switchIndex: 4, state: true }],
    ['toggle-switch', { switchIndex: -1, state: true }],
    ['toggle-switch', { switchIndex: 1.5, state: true }],
    ['toggle-switch', { switchIndex: '1', state: true }],
    ['toggle-switch', { switchIndex: 1, state: 'on' }],
    ['set-fan-speed', { switchIndex: 0, speed: 256 }],
    ['set-fan-speed', { switchIndex: 0, speed: 100 }],
    ['toggle-all-switches', { state: null }]
  ] as const)('%s with %j is refused, naming the field, and nothing is sent to the board', async (event, fields) => {
    const before = commandsOf(board)
    const ack = await screen.send(event, { deviceMac: board.mac, ...fields })
    expect(ack).toMatchObject({ ok: false, code: 'VALIDATION' })
    expect(ack['message']).toMatch(/switchIndex|speed|state/)
    expect(commandsOf(board)).toBe(before)
  })

  it('with invalid input does not count as unauthorized access', async () => {
    const admin = await product.person('admin')
    await screen.send('toggle-switch', { deviceMac: '34:98:7A:FF:FF:FF', switchIndex: 0, state: true })
    await screen.send('set-fan-speed', { deviceMac: board.mac, switchIndex: 0, speed: 100 })
    const { logs } = (await product.call('GET', '/unauthorized-logs?search=s', { as: admin })).body.data as {
      logs: { method: string; url: string }[]
    }
    expect(logs.filter(({ method }) => method === 'SOCKET').map(({ url }) => url)).toEqual(['toggle-switch'])
  })

  it.each([null, undefined, 7, 'x', [], Buffer.from('x')])(
    'with %j as its payload is refused and the process survives',
    async (payload) => {
      for (const event of [
        'toggle-switch',
        'set-fan-speed',
        'toggle-all-switches',
        'toggleSwitch',
        'join-user-room'
      ] as const) {
        expect(await screen.send(event, payload)).toMatchObject({ ok: false })
      }
    }
  )

  it('on a board that was deleted is refused at once', async () => {
    const gone = await product.board(sita)
    await screen.send('join-user-device-room', gone.mac)
    gone.vanish()
    const update = await screen.next(
      'update-from-device',
      (received: { deviceMac: string; update: { isOnline?: boolean } }) =>
        received.deviceMac === gone.mac && received.update.isOnline === false
    )
    expect(update).toMatchObject({ update: { isOnline: false } })
    expect(await screen.send('toggle-switch', { deviceMac: gone.mac, switchIndex: 0, state: true })).toMatchObject({
      ok: false,
      code: 'DEVICE_OFFLINE'
    })
    await expect(
      screen.next('deviceStatus', ({ code }: { code: string }) => code === 'DEVICE_OFFLINE')
    ).resolves.toMatchObject({ deviceMac: gone.mac })
  })
})

describe('a repeated report', () => {
  // Whatever its board reports later is older than these reports.
  afterEach(moveIn)

  it('is acknowledged again, shown once and logged once', async () => {
    const before = (await logsOf(sita)).total
    board.state = board.state.map(() => true)
    const seq = board.report({ cause: 'button', seq: 500 })
    for (let again = 0; again < 3; again++) board.report({ cause: 'button', seq })
    await until('the repeated report is acknowledged', () => board.acks.filter((ack) => ack.seq === 500).length === 4)
    await screen.next('switch-update', (update: { seq: number }) => update.seq === 500)
    const rows = (await logsOf(sita)).logs.filter(({ report }) => report.seq === 500)
    expect((await logsOf(sita)).total - before).toBe(rows.length)
    expect(screen.heard('switch-update').filter((update) => (update as { seq: number }).seq === 500)).toHaveLength(1)
  })

  it('of an earlier boot never overwrites a later one', async () => {
    const again = await product.connect(board.credentials, { bootId: 'boot-after-the-first' })
    await until("the board's report is acknowledged", () => again.acks.length > 0)
    again.say('update-from-device', {
      bootId: board.bootId,
      seq: 9999,
      switch: [true, true, true, true],
      speed: [0, 0, 0, 0],
      cause: 'button'
    })
    await until('the last report is acknowledged', () => again.acks.some(({ seq }) => seq === 9999))
    const { body } = await product.call('GET', `/devices/${board.credentials.deviceId}`, { as: sita })
    expect(body.data).toMatchObject({
      switch: [false, false, false, false],
      bootId: 'boot-after-the-first',
      isOnline: true
    })
  })
})
