import type { ActionLogRecord, ScheduleRecord, SwitchRecord } from '@batti/contracts'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../people.ts'
import { startProduct, type Product } from '../product.ts'
import { until } from '../until.ts'
import { createWall, type Wall } from '../wall.ts'
import { startAnotherApi, type AnotherApi } from './another-api.ts'

// The whole product on the real clock, with simulated boards: everything is due at two full minutes, so that the file
// waits twice however much it looks at. Rules that need hours, days and changes of the clocks are the api's own tests.
const zone = 'Asia/Kathmandu'
const minuteMs = 60_000
/** What has to be done before the first minute: cut a board's power, take another's network away. */
const preparationMs = 30_000
/** A minute to wait for, and a slow machine. */
const patientMs = 150_000

let product: Product
let other: AnotherApi
let wall: Wall
let screen: Socket
let token = ''
/** The full minutes at which runs start and end. */
let startsAt = 0
let endsAt = 0
let startedAt = 0
const notices: string[] = []

interface Scheduled extends SwitchRecord {
  scheduleId: string
}
/** By the name of the switch. */
const scheduled = new Map<string, Scheduled>()

beforeAll(async () => {
  startedAt = Date.now()
  product = await startProduct({ env: { CLUSTER_ADAPTER: 'mongo' } })
  other = await startAnotherApi(product)
  wall = createWall(product.wall)
  const owner = product.accounts.find(({ role }) => role === 'user')
  const login = await call<{ accessToken: string }>(product, '/user/login', { body: owner })
  token = login.body.data.accessToken
  // People look at one instance; whichever fires a schedule must tell them.
  screen = io(other.url, { transports: ['websocket'], auth: { token } })
  screen.on('notify-user', (text: string) => void notices.push(text))
  await until('the screen is connected', () => Promise.resolve(screen.connected))

  startsAt = Math.ceil((Date.now() + preparationMs) / minuteMs) * minuteMs
  endsAt = startsAt + minuteMs
  for (const name of ['Reading lamp', 'Balcony light', 'Bedside lamp', 'Kitchen lamp', 'Kettle']) await schedule(name)
  await until('every board has its copy', async () =>
    (await wall.list()).every((board) => board.schedulesRev !== null && board.schedulesRev > 0)
  )
  await wall.power(await macOf('Kitchen lamp'), false)
  await wall.faults(await macOf('Kettle'), { offline: true })
  await until('the two are held offline', async () => {
    const switches = await allSwitches()
    return switches
      .filter(({ switchName }) => ['Kitchen lamp', 'Kettle'].includes(switchName))
      .every(({ isOnline }) => !isOnline)
  })
  if (Date.now() >= startsAt) throw new Error('This machine was too slow to prepare what is due.')
}, 200_000)

afterAll(async () => {
  screen?.disconnect()
  await other?.kill()
  await product?.stop()
})

async function get<Data>(path: string): Promise<Data> {
  return (await call<Data>(product, path, { method: 'GET', token })).body.data
}
const allSwitches = async () => (await get<{ switches: SwitchRecord[] }>('/switches')).switches
const logsOf = async (name: string) =>
  (await get<{ logs: ActionLogRecord[] }>(`/switch-action-logs?switchId=${scheduled.get(name)?._id}`)).logs.filter(
    ({ cause }) => cause?.scheduleId === scheduled.get(name)?.scheduleId
  )
const localTime = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at)

/** On at the first minute, off at the second. */
async function schedule(name: string): Promise<void> {
  const own = (await allSwitches()).find(({ switchName }) => switchName === name)
  if (own === undefined) throw new Error(`There is no switch called ${name}`)
  const made = await call<ScheduleRecord>(product, '/schedules', {
    token,
    body: {
      deviceId: own.deviceId,
      switchId: own._id,
      switchIndex: own.switchIndex,
      startTime: localTime(startsAt),
      endTime: localTime(endsAt),
      startAction: 'on',
      endAction: 'off',
      repeatType: 'once'
    }
  })
  expect(made.body.data).toMatchObject({ timezone: zone, nextRunAt: new Date(startsAt).toISOString() })
  scheduled.set(name, { ...own, scheduleId: made.body.data._id })
}

async function macOf(name: string): Promise<string> {
  const own = scheduled.get(name)
  if (own === undefined) throw new Error(`${name} has no schedule`)
  return own.deviceMac
}

async function isOn(name: string): Promise<boolean> {
  const { deviceMac, switchIndex = 0 } = scheduled.get(name) ?? {}
  return (await wall.find(deviceMac ?? '')).switch[switchIndex] === true
}

/** Commands that reached the board for this switch since the product is up. */
async function commandsTo(name: string): Promise<{ index: number; on?: boolean }[]> {
  const index = scheduled.get(name)?.switchIndex
  const history = await wall.history(await macOf(name))
  return history
    .filter(({ at }) => at > startedAt)
    .flatMap((entry) =>
      entry.kind === 'received' && entry.topic === 'switch-update'
        ? (entry.payload as { set: { index: number; on?: boolean }[] }).set
        : []
    )
    .filter((set) => set.index === index)
}

describe('with two api instances, at the minute a run starts', () => {
  it(
    'each board that is there is told once, and its owner reads who did it',
    async () => {
      for (const name of ['Reading lamp', 'Balcony light', 'Bedside lamp']) {
        await until(`${name} is on`, () => isOn(name), patientMs)
        await until(`${name} is in the log`, async () => (await logsOf(name)).length > 0)
        expect(await commandsTo(name)).toEqual([{ index: scheduled.get(name)?.switchIndex, on: true }])
        expect(await logsOf(name)).toMatchObject([
          { kind: 'change', description: `${name} turned ON`, from: 'schedule', cause: { by: 'schedule' } }
        ])
      }
      expect(Date.now()).toBeGreaterThanOrEqual(startsAt)
    },
    patientMs + 30_000
  )

  it('a board without power has missed it: logged once, told to screens of any instance, not fired when it is back', async () => {
    const missed = `Kitchen lamp was not turned ON at ${localTime(startsAt)}: Kitchen ceiling was offline`
    await until('it is logged as missed', async () => (await logsOf('Kitchen lamp')).length > 0)
    expect(await logsOf('Kitchen lamp')).toMatchObject([{ kind: 'missed', description: missed }])
    // Both that were away may be told in one sentence, beginning with either.
    await until('its owner is told', () =>
      Promise.resolve(notices.some((text) => text.startsWith(missed) || /^Kettle .* and 1 more .* missed/.test(text)))
    )
    const mac = await macOf('Kitchen lamp')
    await wall.power(mac, true)
    await wall.when(mac, 'online', ({ phase }) => phase === 'online')
    await until('the server knows that it is back', async () =>
      (await allSwitches()).some(({ switchName, isOnline }) => switchName === 'Kitchen lamp' && isOnline)
    )
    expect(await commandsTo('Kitchen lamp')).toEqual([])
    expect(await isOn('Kitchen lamp')).toBe(false)
  })

  it('a board without network has run it by itself, and the log says so once it is back', async () => {
    await until('the kettle is on', () => isOn('Kettle'))
    expect(await commandsTo('Kettle')).toEqual([])
    await wall.faults(await macOf('Kettle'), { offline: false })
    await until('what was held missed is done', async () => {
      const logs = await logsOf('Kettle')
      return logs.length === 1 && logs[0]?.kind === 'change'
    })
    const [row] = await logsOf('Kettle')
    expect(row).toMatchObject({ description: 'Kettle turned ON', from: 'schedule', state: true })
    // When it happened, not when it was told.
    const away = Date.parse(row?.createdAt ?? '') - startsAt
    expect(away).toBeGreaterThan(-2000)
    expect(away).toBeLessThan(10_000)
    expect((await allSwitches()).find(({ switchName }) => switchName === 'Kettle')?.status).toBe(true)
  })
})

describe('when one instance is gone and the last one dies in the middle of the runs', () => {
  it(
    'the ends fire once it has been started again, each once',
    async () => {
      await other.kill()
      await until('the second before the ends', () => Promise.resolve(Date.now() > endsAt - 1000), patientMs)
      process.kill(product.pids.api, 'SIGKILL')
      for (const name of scheduled.keys()) {
        await until(`${name} is off`, async () => Date.now() > endsAt && !(await isOn(name)), 60_000)
      }
      for (const name of ['Reading lamp', 'Balcony light', 'Bedside lamp', 'Kettle']) {
        await until(`the end of ${name} is in the log`, async () =>
          (await logsOf(name).catch(() => [])).some(({ description }) => description === `${name} turned OFF`)
        )
        expect((await commandsTo(name)).filter(({ on }) => on === false)).toHaveLength(1)
        expect((await logsOf(name)).map(({ description }) => description)).toEqual([
          `${name} turned OFF`,
          `${name} turned ON`
        ])
      }
      // Off already, because it was missed at the start: nothing to log. Whether it is told all the same hangs on whether its
      // board, which speaks once a minute, was heard before its turn came.
      expect((await commandsTo('Kitchen lamp')).filter(({ on }) => on === true)).toEqual([])
      expect(await logsOf('Kitchen lamp')).toHaveLength(1)
      const { schedules } = await get<{ schedules: ScheduleRecord[] }>('/schedules')
      const own = new Set([...scheduled.values()].map(({ scheduleId }) => scheduleId))
      expect(schedules.filter(({ _id, isActive }) => own.has(_id) && isActive)).toEqual([])
    },
    patientMs + 90_000
  )
})
