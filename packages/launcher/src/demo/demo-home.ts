import { createRoom, createSchedule, listRooms, listSchedules, listSwitches, type DeviceRecord } from '@batti/contracts'
import { ensureMonitor, ensureUser, logIn } from './demo-accounts.ts'
import { ensureBoards, type DemoBoardsParts } from './demo-boards.ts'
import { demoBoards, demoPeople, demoRooms, demoSchedules } from './demo-plan.ts'
import { demoWeek } from './demo-week.ts'
import { writeHome } from '../data/home-kind.ts'
import type { ProductApi } from './product-api.ts'
import { inStep, type Progress } from '../launch/progress.ts'
import type { Secrets } from '../data/secrets.ts'

/**
 * Sets up the demo home through the product's own API, as people would. Each step first checks what exists, so that the
 * next start resumes an interrupted one.
 */
export async function setUpDemoHome(
  parts: Omit<DemoBoardsParts, 'token'> & {
    data: string
    secrets: Secrets
    /** The admin account that the api was started with. */
    admin: { email: string; password: string }
    progress: Progress
  }
): Promise<void> {
  const { api, data, secrets, progress } = parts
  const { token, end } = await inStep(progress, 'Signing up the people', async () => {
    const admin = await logIn(api, parts.admin.email, parts.admin.password)
    if (admin === null) throw new Error('This database has another admin already.')
    const user = await ensureUser(api, admin.token, secrets.USER_PASSWORD)
    await ensureMonitor(api, admin.token, secrets.MONITOR_PASSWORD)
    await admin.end()
    return user
  })
  await inStep(progress, 'Pairing boards', async (step) => {
    const rooms = await ensureRooms(api, token)
    step.at(`0/${demoBoards.length}`)
    const devices = await ensureBoards({ ...parts, token }, rooms, (count) => step.at(`${count}/${demoBoards.length}`))
    await ensureSchedules(api, token, devices)
    await sendWeek(api, token, devices, parts.clock.now())
  })
  // The account's list of sessions must not show this one.
  await end()
  writeHome(data, 'demo', true)
}

/** Ensures the demo's rooms. Returns their ids by name. */
async function ensureRooms(api: ProductApi, token: string): Promise<Map<string, string>> {
  const ids = new Map((await api.as(token).call(listRooms)).rooms.map(({ roomName, _id }) => [roomName, _id]))
  for (const roomName of demoRooms) {
    if (!ids.has(roomName)) ids.set(roomName, (await api.as(token).call(createRoom, { body: { roomName } }))._id)
  }
  return ids
}

async function ensureSchedules(
  api: ProductApi,
  token: string,
  devices: ReadonlyMap<string, DeviceRecord>
): Promise<void> {
  const there = new Set((await api.as(token).call(listSchedules)).schedules.map(({ label }) => label))
  const { switches } = await api.as(token).call(listSwitches)
  for (const { board, switch: name, ...schedule } of demoSchedules) {
    const device = devices.get(board)
    const outlet = switches.find(({ deviceId, switchName }) => deviceId === device?._id && switchName === name)
    if (device === undefined || outlet === undefined || there.has(schedule.label)) continue
    const place = { deviceId: device._id, switchId: outlet._id, switchIndex: outlet.switchIndex }
    const body = { ...schedule, ...place, startAction: 'on', endAction: 'off' } as const
    await api.as(token).call(createSchedule, { body })
  }
}

/** Sends a week of history, so that logs and charts are not empty at the first visit. */
async function sendWeek(
  api: ProductApi,
  token: string,
  devices: ReadonlyMap<string, DeviceRecord>,
  now: number
): Promise<void> {
  const { schedules } = await api.as(token).call(listSchedules)
  const idOf = new Map(schedules.map(({ label, _id }) => [label, _id]))
  const changes = demoWeek(now).flatMap(({ board, switch: name, schedule, ...change }) => {
    const deviceId = devices.get(board)?._id
    const switchIndex = demoBoards.find((plan) => plan.name === board)?.switches.findIndex((each) => each.name === name)
    if (deviceId === undefined || switchIndex === undefined) return []
    const scheduleId = idOf.get(schedule ?? '')
    return [{ ...change, deviceId, switchIndex, ...(scheduleId !== undefined && { scheduleId }) }]
  })
  await api.sendHistory({ userName: demoPeople.user.name, changes })
}
