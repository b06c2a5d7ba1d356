import { ApiError } from '@batti/client/api-error'
import type { Client } from '@batti/client/client'
import type { CallOptions } from '@batti/client/request'
import {
  createDeviceClaim,
  defaultTimezone,
  deviceAuthPath,
  listDevices,
  listSwitches,
  setupConfigPath,
  updateDevice,
  updateSwitch,
  type DeviceRecord
} from '@batti/contracts'
import type { BoardWall, WallBoard } from './board-wall.ts'
import { sleep, type Timers } from '@batti/kit/clock'
import { demoBoards, type DemoBoard } from './demo-plan.ts'
import type { ProductApi } from './product-api.ts'

export interface DemoBoardsParts {
  api: ProductApi
  wall: BoardWall
  clock: Timers
  /** Access token of the demo user. */
  token: string
  /** The product's address for the boards. */
  address: { host: string; httpPort: number; mqttPort: number }
}

const onlineWithinMs = 45_000

/**
 * Ensures the demo's boards: each starts in factory state, is set up through its own page with a pairing code, and is named.
 * Boards that an earlier start finished are left unchanged.
 */
export async function ensureBoards(
  parts: DemoBoardsParts,
  rooms: ReadonlyMap<string, string>,
  onPaired: (count: number) => void
): Promise<Map<string, DeviceRecord>> {
  const there = await parts.wall.list()
  const named = new Map<string, DeviceRecord>()
  await Promise.all(
    demoBoards.map(async (plan) => {
      const { model, name } = plan
      const labels = plan.switches.map((each) => each.name)
      const board = there.find((known) => known.name === name) ?? (await parts.wall.add({ model, name, labels }))
      const device = await ensurePaired(parts, board, plan)
      named.set(name, await nameBoard(parts, device, plan, rooms.get(plan.room)))
      onPaired(named.size)
    })
  )
  return named
}

/** Pairs a board if necessary, waits until it is online, and returns its record. */
async function ensurePaired(parts: DemoBoardsParts, board: WallBoard, plan: DemoBoard): Promise<DeviceRecord> {
  const { wall, clock } = parts
  const deadline = clock.monotonic() + onlineWithinMs
  let hasForm = board.paired
  let why = ''
  while (clock.monotonic() < deadline) {
    const now = await wall.find(board.mac)
    if (now === null) throw new Error(`${plan.name} has gone from the wall.`)
    why = now.detail ?? now.phase
    if (now.phase === 'online') {
      const device = await findDevice(parts, board.mac)
      if (device?.isOnline === true) return device
    } else if (now.phase === 'setup' && now.setupUrl !== null) {
      await postSetupForm(parts, now.setupUrl, plan)
      hasForm = true
    } else if (now.phase === 'refused' || now.phase === 'setup-over' || (!hasForm && now.phase === 'pairing')) {
      // An interrupted start left it half paired, and its code has expired.
      await wall.reset(board.mac)
    }
    await sleep(clock, 100)
  }
  throw new Error(`${plan.name} did not come online: ${why}.`)
}

async function findDevice({ api, token }: DemoBoardsParts, mac: string): Promise<DeviceRecord | undefined> {
  return (await api.as(token).call(listDevices)).devices.find((device) => device.deviceMac === mac)
}

async function postSetupForm({ api, token, address }: DemoBoardsParts, url: string, plan: DemoBoard): Promise<void> {
  const { userId } = await api.as(token).call(createDeviceClaim, { body: {} })
  const answer = await fetch(new URL(setupConfigPath, url), {
    method: 'POST',
    body: new URLSearchParams({
      ssid: 'Batti home',
      password: 'a simulated network',
      userId,
      deviceId: '',
      serverUrl: address.host,
      serverPort: String(address.httpPort),
      otherUrl: deviceAuthPath,
      mqttServerUrl: address.host,
      mqttServerPort: String(address.mqttPort),
      activeColor: plan.activeColor,
      timezone: defaultTimezone
    })
  })
  await answer.body?.cancel()
  // 403: it has already accepted a form, from an interrupted start.
  if (!answer.ok && answer.status !== 403) throw new Error(`${plan.name} did not take its setup form.`)
}

/** Sets up the switches, then the name and room of a board. Lights that the plan shows lit are really switched on. */
async function nameBoard(
  { api, token }: DemoBoardsParts,
  device: DeviceRecord,
  plan: DemoBoard,
  roomId: string | undefined
): Promise<DeviceRecord> {
  if (device.setName === plan.name && device.setRoom?._id === roomId) return device
  const home = api.as(token)
  const { switches } = await home.call(listSwitches)
  for (const { _id, switchIndex } of switches.filter(({ deviceId }) => deviceId === device._id)) {
    const wish = plan.switches[switchIndex]
    if (wish === undefined) continue
    const params = { id: _id }
    await home.call(updateSwitch, {
      params,
      body: { switchName: wish.name, isFavorite: wish.favourite ?? false }
    })
    if (wish.on === true) await command(home, { params, body: { status: true } })
    if (wish.speed !== undefined) await command(home, { params, body: { speed: wish.speed } })
  }
  // Last, because the name marks the board as done.
  return home.call(updateDevice, {
    params: { id: device._id },
    body: { setName: plan.name, setRoom: roomId ?? null }
  })
}

/** Sends a command and ignores its failure, which must not stop the setup of the home. */
async function command(home: Client, change: CallOptions<typeof updateSwitch>): Promise<void> {
  try {
    await home.call(updateSwitch, change)
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 504)) throw error
  }
}
