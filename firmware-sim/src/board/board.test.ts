import { claimLifetimeMs } from '@batti/contracts'
import type { Timers } from '@batti/kit/clock'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeCertificate, startHouseServer, type HouseServer } from '../../test/house-server.ts'
import { createBoard, type Board, type BoardOptions } from './board.ts'
import { createSharedResources } from './shared-resources.ts'
import { createMemoryFlash } from './flash.ts'
import { createSharedTimer } from './shared-timer.ts'

const patient = { timeout: 60_000, interval: 10 }
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close()
})

async function house(options: Parameters<typeof startHouseServer>[0] = {}): Promise<HouseServer> {
  const server = await startHouseServer(options)
  open.push(server)
  return server
}

async function freshBoard(options: Partial<BoardOptions> = {}): Promise<Board> {
  const board = createBoard({ model: 'BTF', mac: '34-98-7a-0c-51-e2', ...options })
  open.push(board)
  await board.restorePower()
  await board.when(({ phase }) => phase === 'setup')
  return board
}

/** By default no time passes for its reports, so that none is repeated while this machine is slow. */
async function pairedBoard(server: HouseServer, options: Partial<BoardOptions> = {}): Promise<Board> {
  const board = await freshBoard({ shared: createSharedResources({ clock: stoppedClock() }), ...options })
  board.configure(server.form())
  await board.when(({ phase, unacknowledged }) => phase === 'online' && unacknowledged === 0)
  return board
}

/** A clock that shows the same time until `pass` is called. Its waits are real. */
function stoppedClock(): Timers & { pass(ms: number): void } {
  const clock = createSharedTimer()
  let at = clock.now()
  return { ...clock, now: () => at, pass: (ms) => void (at += ms) }
}

/** The real clock, with all waits ten times as fast. */
function hurriedClock(): Timers {
  const clock = createSharedTimer()
  return { ...clock, after: (delayMs, run) => clock.after(delayMs / 10, run) }
}

const deviceIdOf = (board: Board): string => board.state().deviceId ?? ''

describe('pairing', () => {
  test('sends the model and the code; status and boot report follow', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    expect(server.auths).toEqual([
      expect.objectContaining({
        userId: '64f000000000000000000001.CODE',
        deviceMac: '34:98:7A:0C:51:E2',
        deviceCode: 'BTF',
        hwModel: 'batti-wall-fan',
        timezone: 'Asia/Kathmandu',
        activeColor: 'blue'
      })
    ])
    expect(server.auths[0]).not.toHaveProperty('deviceToken')
    expect(server.published.map(({ topic }) => topic).slice(0, 2)).toEqual(['status', 'update-from-device'])
    expect(server.statuses()[0]).toMatchObject({ online: true, conn: 1, bootId: board.state().bootId })
    expect(server.reports()[0]).toMatchObject({ cause: 'boot', seq: 1, switch: [false, false, false, false] })
  })

  test('is tried again with the same nonce while the server does not answer', async () => {
    const server = await house()
    let failures = 2
    server.setAuthAnswer(() =>
      failures-- > 0 ? { status: 503, body: { code: 'UNAVAILABLE', message: 'Not yet.' } } : server.accept()
    )
    const board = await freshBoard({ shared: createSharedResources({ clock: hurriedClock() }) })
    board.configure(server.form())
    await board.whenOnline()
    expect(server.auths).toHaveLength(3)
    expect(new Set(server.auths.map(({ nonce }) => nonce)).size).toBe(1)
  })

  test('ends when it is refused: the form is discarded, and the next power-up is in setup mode again', async () => {
    const server = await house()
    server.setAuthAnswer(() => ({ status: 403, body: { code: 'DEVICE_REFUSED', message: 'This code is not valid.' } }))
    const board = await freshBoard()
    board.configure(server.form())
    await board.when(({ phase }) => phase === 'refused')
    expect(board.state().detail).toContain('This code is not valid.')
    expect(board.configure(server.form())).toBe(false)
    expect(server.auths).toHaveLength(1)
    board.cutPower()
    await board.restorePower()
    await board.when(({ phase }) => phase === 'setup')
  })
})

test('a board stops asking when its pairing code has run out', async () => {
  const server = await house()
  server.setAuthAnswer(() => ({ status: 503, body: { code: 'UNAVAILABLE', message: 'Not yet.' } }))
  const clock = hurriedClock()
  let passedMs = 0
  const board = await freshBoard({
    shared: createSharedResources({ clock: { ...clock, now: () => clock.now() + passedMs } })
  })
  board.configure(server.form())
  await board.when(({ detail }) => detail === 'Not yet.')
  passedMs = claimLifetimeMs
  await board.when(({ phase }) => phase === 'refused')
  expect(board.state().detail).toContain('The pairing code has run out')
})

test('a form that never reached its server is discarded with the power, and the setup page is open again', async () => {
  const server = await house()
  const board = await freshBoard()
  expect(board.configure({ ...server.form(), serverPort: 1 })).toBe(true)
  await board.when(({ phase, detail }) => phase === 'pairing' && detail?.includes('did not answer') === true)
  expect(board.configure(server.form())).toBe(false)
  board.cutPower()
  await board.restorePower()
  await board.when(({ phase }) => phase === 'setup')
  expect(board.configure(server.form())).toBe(true)
  await board.whenOnline()
})

describe('commands and reports', () => {
  test('a command is applied and answered with its id', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    server.send(deviceIdOf(board), 'switch-update', {
      id: 'c1',
      set: [{ index: 2, on: true, speed: 140 }],
      expiresAt: Date.now() + 60_000
    })
    await vi.waitFor(
      () => expect(server.reports().at(-1)).toMatchObject({ commandId: 'c1', result: 'applied', changed: [2] }),
      patient
    )
    expect(board.state()).toMatchObject({ switch: [false, false, true, false], speed: [0, 0, 140, 0] })
  })

  test('malformed messages on every topic change nothing, and the board continues', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    for (const topic of ['switch-update', 'config-update', 'schedules', 'firmware-update', 'ack', 'nothing']) {
      for (const text of ['', '{', 'null', '[]', '{"id":1}', '"x"', `{"set":${'['.repeat(1000)}`])
        server.send(deviceIdOf(board), topic, text)
    }
    server.send(deviceIdOf(board), 'switch-update', {
      id: 'after',
      set: [{ index: 0, on: true }],
      expiresAt: Date.now() + 60_000
    })
    await vi.waitFor(
      () => expect(server.reports().at(-1)).toMatchObject({ commandId: 'after', result: 'applied' }),
      patient
    )
    expect(board.state().conn).toBe(1)
  })

  test('presses while the broker is away arrive when it is back, once each and in order', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    await server.stopBroker()
    await board.when(({ phase }) => phase === 'connecting')
    board.press(0)
    board.press(1)
    board.press(0)
    await server.startBroker()
    await board.when(({ phase, unacknowledged }) => phase === 'online' && unacknowledged === 0)
    const pressed = server.reports().filter(({ cause }) => cause === 'button')
    expect(pressed.map((report) => report.switch.slice(0, 2))).toEqual([
      [true, false],
      [true, true],
      [false, true]
    ])
    expect(server.reports().at(-1)).toMatchObject({ cause: 'resync', switch: [false, true, false, false] })
  })

  test('an unacknowledged report is repeated until it is acknowledged', async () => {
    const server = await house()
    const board = await pairedBoard(server, { shared: createSharedResources() })
    server.setAcknowledge(false)
    board.press(0)
    const copies = () => server.reports().filter(({ cause }) => cause === 'button')
    await vi.waitFor(() => expect(copies().length).toBeGreaterThanOrEqual(3), patient)
    expect(new Set(copies().map((report) => JSON.stringify(report))).size).toBe(1)
    server.setAcknowledge(true)
    await board.when(({ unacknowledged }) => unacknowledged === 0)
  })
})

describe('power', () => {
  test('cut: the last will is published; restored: a new boot, unchanged relays, no second pairing', async () => {
    const server = await house()
    const flash = createMemoryFlash('34:98:7A:0C:51:E2')
    const board = await pairedBoard(server, { flash })
    const { bootId } = board.state()
    board.press(1)
    await vi.waitFor(() => expect(flash.load().record.outputs?.switch).toEqual([false, true, false, false]), patient)
    board.cutPower()
    await vi.waitFor(() => expect(server.statuses().at(-1)).toEqual({ online: false, bootId, conn: 1 }), patient)
    expect(board.state()).toMatchObject({
      powered: false,
      phase: 'off',
      switch: [false, false, false, false],
      paired: true
    })
    expect(board.press(0)).toBe(false)
    await board.restorePower()
    await board.whenOnline()
    expect(board.state()).toMatchObject({ switch: [false, true, false, false] })
    expect(board.state().bootId).not.toBe(bootId)
    expect(server.auths).toHaveLength(1)
  })

  test('switched off in order: the board itself reports that it is offline before it disconnects', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    const { bootId } = board.state()
    await board.close()
    // The broker publishes a will, which would be a second message, before it forgets the client.
    await vi.waitFor(() => expect(server.clients()).toEqual([]), patient)
    expect(server.statuses().slice(1)).toEqual([{ online: false, bootId, conn: 1 }])
  })
})

describe("a broker other than the one in the board's settings", () => {
  test('with a certificate of another CA gets no connection and no credential', async () => {
    const stranger = await makeCertificate()
    const server = await house({ caPem: stranger.cert })
    const board = await freshBoard()
    board.configure(server.form())
    await board.when(({ detail }) => detail?.includes('does not come from the CA') === true)
    expect(server.connects()).toBe(0)
    expect(board.state().phase).toBe('connecting')
  })

  test('with the right CA and another name gets no connection', async () => {
    const server = await house({
      certificate: await makeCertificate({ ips: ['10.9.8.7'], names: ['elsewhere.example'] })
    })
    const board = await freshBoard()
    board.configure(server.form())
    await board.when(({ detail }) => detail?.includes('is for another name') === true)
    expect(server.connects()).toBe(0)
  })

  test('with an expired certificate gets no connection', async () => {
    const server = await house({ certificate: await makeCertificate({ notAfter: new Date(Date.now() - 60_000) }) })
    const board = await freshBoard()
    board.configure(server.form())
    await board.when(({ detail }) => detail?.includes('has expired') === true)
    expect(server.connects()).toBe(0)
  })

  test('is left for the previous address if the owner’s change led to it', async () => {
    const server = await house()
    const rogue = await house({ certificate: await makeCertificate() })
    const board = await pairedBoard(server, { shared: createSharedResources({ clock: hurriedClock() }) })
    server.send(deviceIdOf(board), 'config-update', { rev: 9, mqtt: { host: '127.0.0.1', port: rogue.mqttPort } })
    await board.when(
      ({ phase, detail }) => phase === 'connecting' && detail?.includes('does not come from the CA') === true
    )
    await board.whenOnline()
    expect(rogue.connects()).toBe(0)
    await vi.waitFor(() => expect(server.reports().at(-1)).toMatchObject({ cause: 'resync', configRev: 9 }), patient)
    // A change of the Wi-Fi ends the connection too, and leads to the wrong address once more.
    server.send(deviceIdOf(board), 'config-update', { rev: 10, wifi: { ssid: 'Upstairs', password: 'momo momo' } })
    await board.when(({ phase }) => phase === 'connecting')
    await board.whenOnline()
    await vi.waitFor(() => expect(server.reports().at(-1)).toMatchObject({ cause: 'resync', configRev: 10 }), patient)
  })
})

describe('a credential that the broker refuses', () => {
  test('of a board that the server knows is renewed with the board’s own token', async () => {
    const server = await house()
    const board = await pairedBoard(server, { shared: createSharedResources({ clock: hurriedClock() }) })
    const before = deviceIdOf(board)
    server.refuse(`dev-${before}`, true)
    await server.stopBroker()
    await server.startBroker()
    await board.when(({ deviceId, phase }) => deviceId !== before && phase === 'online')
    expect(server.auths).toHaveLength(2)
    expect(server.auths[1]).toMatchObject({
      userId: '64f000000000000000000001',
      deviceToken: expect.stringContaining(before) as string
    })
    expect(server.auths[1]?.nonce).not.toBe(server.auths[0]?.nonce)
  })

  test('of a deleted board puts the board into setup mode', async () => {
    const server = await house()
    const board = await pairedBoard(server, { shared: createSharedResources({ clock: hurriedClock() }) })
    server.setAuthAnswer(() => ({ status: 403, body: { code: 'DEVICE_REFUSED', message: 'Not this board.' } }))
    server.refuse(`dev-${deviceIdOf(board)}`, true)
    await server.stopBroker()
    await server.startBroker()
    await board.when(({ phase }) => phase === 'refused')
    expect(board.state()).toMatchObject({ paired: false, deviceId: null })
    // A single refusal may come from a server that is being restored.
    expect(server.auths.filter(({ deviceToken }) => deviceToken !== undefined)).toHaveLength(3)
  })

  test('is tried again while the server cannot be asked', async () => {
    const server = await house()
    const board = await pairedBoard(server, { shared: createSharedResources({ clock: hurriedClock() }) })
    const client = `dev-${deviceIdOf(board)}`
    server.setAuthAnswer(() => ({ status: 503, body: { code: 'UNAVAILABLE', message: 'Not now.' } }))
    server.refuse(client, true)
    await server.stopBroker()
    await server.startBroker()
    await board.when(({ phase, detail }) => phase === 'pairing' && detail === 'Not now.')
    server.refuse(client, false)
    await board.whenOnline()
    expect(server.auths.length).toBeGreaterThan(2)
    expect(board.state().deviceId).toBe(client.slice('dev-'.length))
  })

  test('because the broker cannot check it is kept', async () => {
    const server = await house()
    const board = await pairedBoard(server, { shared: createSharedResources({ clock: hurriedClock() }) })
    server.setUnavailable(true)
    await server.stopBroker()
    await server.startBroker()
    await board.when(({ detail, conn }) => detail === 'The broker does not let this board in just now.' && conn >= 6)
    server.setUnavailable(false)
    await board.whenOnline()
    expect(server.auths).toHaveLength(1)
  })
})

describe('faults', () => {
  test('a silent board receives commands and does nothing, until the fault is removed', async () => {
    const server = await house()
    const board = await pairedBoard(server, { faults: { silent: true } })
    const command = (id: string) =>
      server.send(deviceIdOf(board), 'switch-update', {
        id,
        set: [{ index: 0, on: true }],
        expiresAt: Date.now() + 60_000
      })
    command('c1')
    await vi.waitFor(
      () =>
        expect(board.history()).toContainEqual(expect.objectContaining({ topic: 'switch-update', dropped: 'silent' })),
      patient
    )
    board.setFaults({ silent: false })
    command('c2')
    const answered = () => server.reports().flatMap(({ commandId }) => commandId ?? [])
    await vi.waitFor(() => expect(answered()).toEqual(['c2']), patient)
    expect(board.state().switch[0]).toBe(true)
  })

  test('duplicates send each report more than once; with lost acknowledgements it is repeated', async () => {
    const server = await house()
    const clock = stoppedClock()
    const board = await pairedBoard(server, { shared: createSharedResources({ clock }) })
    board.setFaults({ duplicates: 2 })
    board.press(0)
    const seqs = (cause: string) =>
      server
        .reports()
        .filter((report) => report.cause === cause)
        .map(({ seq }) => seq)
    await vi.waitFor(() => expect(seqs('button')).toEqual([2, 2, 2]), patient)
    await board.when(({ unacknowledged }) => unacknowledged === 0)
    board.setFaults({ duplicates: 0, ackLoss: 1 })
    board.press(0)
    clock.pass(1000)
    await vi.waitFor(() => expect(seqs('button')).toEqual([2, 2, 2, 3, 3]), patient)
    expect(board.state().unacknowledged).toBe(1)
  })

  test('without Wi-Fi the board is disconnected and keeps working; with Wi-Fi again it reports', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    board.setFaults({ offline: true })
    await vi.waitFor(() => expect(server.statuses().at(-1)).toMatchObject({ online: false }), patient)
    board.press(3)
    expect(board.state()).toMatchObject({ phase: 'joining', switch: [false, false, false, true] })
    board.setFaults({ offline: false })
    await board.when(({ phase, unacknowledged }) => phase === 'online' && unacknowledged === 0)
    expect(server.reports().filter(({ cause }) => cause === 'button')).toHaveLength(1)
  })

  test('Wi-Fi that fails during the pairing ends it; with Wi-Fi again the board pairs once', async () => {
    const server = await house()
    server.setAuthAnswer(() => ({ status: 503, body: { code: 'UNAVAILABLE', message: 'Not yet.' } }))
    const waits = new Set<() => void>()
    const { after, ...clock } = hurriedClock()
    const countedClock: Timers = {
      ...clock,
      after(delayMs, run) {
        waits.add(run)
        const cancel = after(delayMs, () => {
          waits.delete(run)
          run()
        })
        return () => {
          waits.delete(run)
          cancel()
        }
      }
    }
    const board = await freshBoard({ shared: createSharedResources({ clock: countedClock }) })
    const before = waits.size
    board.configure(server.form())
    await board.when(({ detail }) => detail === 'Not yet.')
    board.setFaults({ offline: true })
    expect(board.state().phase).toBe('joining')
    expect(waits.size).toBe(before)
    const asked = server.auths.length
    server.setAuthAnswer(null)
    for (const offline of [false, true, false]) board.setFaults({ offline })
    await board.when(({ phase, unacknowledged }) => phase === 'online' && unacknowledged === 0)
    expect(server.auths).toHaveLength(asked + 1)
    expect(server.clients()).toHaveLength(1)
    expect(board.state().conn).toBe(1)
  })
})
