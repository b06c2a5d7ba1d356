import type { ActionLogRecord, ScheduleRecord, SchedulesPayload, SwitchRecord } from '@batti/contracts'
import { openSocket } from '@batti/client/socket'
import { hourMs, minuteMs } from '@batti/kit/durations'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../people.ts'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'
import { until } from '@batti/kit/testing'
import { createWall, type Wall } from '../wall.ts'
import { startAnotherApi, type AnotherApi } from './another-api.ts'

// The whole product on the real clock, with simulated boards. All schedules are due at two full minutes, so that the
// file waits only twice. Neither minute is fixed before its preparations are almost done, and a start that comes too early
// for a slow machine is postponed. Rules that need hours, days and clock changes are covered by the api's own tests.
const zone = 'Asia/Kathmandu'
/** The usual time to prepare a minute: cutting one board's power and another's network. */
const preparationMs = 30_000
/** Time for a minute that was postponed twice, on a slow machine. */
const patientMs = 4 * minuteMs

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
  // In processes of their own: if the broker died with its api, boards would run due schedules by themselves.
  product = await startProduct({ env: { CLUSTER_ADAPTER: 'mongo', ONE_PROCESS: '0' } })
  other = await startAnotherApi(product)
  wall = createWall(product.wall)
  const owner = accountOf(product, 'user')
  const login = await call<{ accessToken: string }>(product, '/user/login', { body: owner })
  token = login.body.data.accessToken
  // Users watch one instance; the one that fires a schedule must notify them.
  screen = await openSocket(other.url, { token })
  screen.on('notify-user', (text: string) => void notices.push(text))

  for (let ms = preparationMs; !(await prepareStarts(ms)); ms *= 2) await undoPreparation()
}, 600_000)

afterAll(async () => {
  screen?.disconnect()
  await other?.kill()
  await product?.stop()
})

const fullMinuteAfter = (ms: number): number => Math.ceil((Date.now() + ms) / minuteMs) * minuteMs

/** Returns whether all of it was done in time. */
async function prepareStarts(withinMs: number): Promise<boolean> {
  startsAt = fullMinuteAfter(withinMs)
  for (const name of ['Reading lamp', 'Balcony light', 'Bedside lamp', 'Kitchen lamp', 'Kettle']) await schedule(name)
  for (const [name, own] of scheduled) await until(`the board of ${name} has its copy`, () => isCopied(own))
  await wall.power(await macOf('Kitchen lamp'), false)
  await wall.faults(await macOf('Kettle'), { offline: true })
  await until('the two are held offline', async () => (await allSwitches()).filter(isCutOff).every(isAway))
  return Date.now() < startsAt
}

async function undoPreparation(): Promise<void> {
  for (const { scheduleId } of scheduled.values()) {
    await call(product, `/schedules/${scheduleId}`, { method: 'DELETE', token })
  }
  await wall.power(await macOf('Kitchen lamp'), true)
  await wall.faults(await macOf('Kettle'), { offline: false })
  await until('the two are back', async () => !(await allSwitches()).some(isAway))
  // Some of it may have run by now.
  for (const [name, { deviceMac, switchIndex }] of scheduled) {
    if (await isOn(name)) await wall.press(deviceMac, switchIndex)
  }
  await until('all are off', async () =>
    (await allSwitches()).every((own) => !scheduled.has(own.switchName) || !own.status)
  )
  notices.length = 0
  startedAt = Date.now()
}

const isCutOff = ({ switchName }: SwitchRecord): boolean => ['Kitchen lamp', 'Kettle'].includes(switchName)
const isAway = ({ isOnline }: SwitchRecord): boolean => !isOnline
/** Whether its board has the schedule in its own timetable. */
async function isCopied({ deviceMac, scheduleId }: Scheduled): Promise<boolean> {
  const history = await wall.history(deviceMac)
  return history.some(
    (entry) =>
      entry.kind === 'received' &&
      entry.topic === 'schedules' &&
      (entry.payload as SchedulesPayload).entries.some(({ id }) => id === `${scheduleId}:start`)
  )
}

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

/** On at the first minute; off at the second, once that is known. */
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
      endTime: localTime(startsAt + 6 * hourMs),
      startAction: 'on',
      endAction: 'off',
      repeatType: 'once'
    }
  })
  if (Date.now() < startsAt) {
    expect(made.body.data).toMatchObject({ timezone: zone, nextRunAt: new Date(startsAt).toISOString() })
  }
  scheduled.set(name, { ...own, scheduleId: made.body.data._id })
}

/** Returns what the schedule waits for now. */
async function moveEnd(scheduleId: string): Promise<string | null> {
  const body = { endTime: localTime(endsAt) }
  return (await call<ScheduleRecord>(product, `/schedules/${scheduleId}`, { method: 'PATCH', token, body })).body.data
    .nextRunAt
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

/** Commands to the board for this switch since the product was started, or since the preparation was undone. */
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
  it('each online board gets one command, and its owner sees who did it', async () => {
    for (const name of ['Reading lamp', 'Balcony light', 'Bedside lamp']) {
      await until(`${name} is on`, () => isOn(name), patientMs)
      await until(`${name} is in the log`, async () => (await logsOf(name)).length > 0)
      expect(await commandsTo(name)).toEqual([{ index: scheduled.get(name)?.switchIndex, on: true }])
      expect(await logsOf(name)).toMatchObject([
        { kind: 'change', description: `${name} turned ON`, from: 'schedule', cause: { by: 'schedule' } }
      ])
    }
    expect(Date.now()).toBeGreaterThanOrEqual(startsAt)
  })

  it('a board without power has missed it: logged once, shown on screens of any instance, not fired later', async () => {
    const missed = `Kitchen lamp was not turned ON at ${localTime(startsAt)}: Kitchen ceiling was offline`
    await until('it is logged as missed', async () => (await logsOf('Kitchen lamp')).length > 0)
    expect(await logsOf('Kitchen lamp')).toMatchObject([{ kind: 'missed', description: missed }])
    // Both missed boards may be reported in one sentence, in either order.
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
    const backAt = Date.now()
    await wall.faults(await macOf('Kettle'), { offline: false })
    await until('what was held missed is done', async () => {
      const logs = await logsOf('Kettle')
      return logs.length === 1 && logs[0]?.kind === 'change'
    })
    const [row] = await logsOf('Kettle')
    expect(row).toMatchObject({ description: 'Kettle turned ON', from: 'schedule', state: true })
    // The time of the switching, not of the report.
    const happenedAt = Date.parse(row?.createdAt ?? '')
    expect(happenedAt - startsAt).toBeGreaterThan(-2000)
    expect(happenedAt).toBeLessThan(backAt)
    expect((await allSwitches()).find(({ switchName }) => switchName === 'Kettle')?.status).toBe(true)
  })
})

describe('when one instance is gone and the last one is killed in the middle of the runs', () => {
  it('the ends fire once it has been started again, each once', async () => {
    endsAt = fullMinuteAfter(preparationMs)
    const moved = await Promise.all([...scheduled.values()].map(({ scheduleId }) => moveEnd(scheduleId)))
    expect(new Set(moved)).toEqual(new Set([new Date(endsAt).toISOString()]))
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
    // Off already, because it missed the start: nothing to log. Whether it gets a command anyway depends on whether its
    // board, which reports once a minute, was heard before its turn came.
    expect((await commandsTo('Kitchen lamp')).filter(({ on }) => on === true)).toEqual([])
    expect(await logsOf('Kitchen lamp')).toHaveLength(1)
    const { schedules } = await get<{ schedules: ScheduleRecord[] }>('/schedules')
    const own = new Set([...scheduled.values()].map(({ scheduleId }) => scheduleId))
    expect(schedules.filter(({ _id, isActive }) => own.has(_id) && isActive)).toEqual([])
  })
})
