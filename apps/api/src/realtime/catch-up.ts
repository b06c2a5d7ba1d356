import { setTimeout as wait } from 'node:timers/promises'
import type { DeviceUpdateEvent } from '@batti/contracts'
import type { Logger } from 'pino'
import type { LiveDevice } from '../boards/registry/live-device.ts'
import type { BattiServer } from '../platform/sockets.ts'
import { deviceRoom, macOfRoom, switchUpdateOf } from './device-events.ts'
import { endRoom } from './end-room.ts'

/** Waits until other instances have stored what they just received: their stores gather for 250 ms, and longer under load. */
const settleMs = 800
/** Bounds the waiting when messages keep getting lost. */
const mostWaits = 5

/**
 * Recovers from missed messages of other instances: reads the boards on open screens again and sends their whole state.
 * The state carries no command id, because the instance that waited for a command has already sent its outcome.
 */
export function createCatchUp(deps: {
  io: BattiServer
  log: Logger
  /** Reads those boards again and drops all others from memory. Returns the ones that still exist. */
  readAgain(macs: readonly string[]): Promise<LiveDevice[]>
  describe(live: readonly LiveDevice[]): Promise<Map<string, DeviceUpdateEvent['update']>>
  /** Checks connected sockets again: their grants may have been revoked unnoticed. */
  checkSockets(): Promise<void>
  now(): number
  settle?: () => Promise<unknown>
}): () => void {
  const { io, log, settle = () => wait(settleMs) } = deps
  let isRunning = false
  let isAskedAgain = false
  const isDue = (): boolean => isAskedAgain

  function notify(device: LiveDevice, about: DeviceUpdateEvent['update'] | undefined): void {
    const room = io.local.to(deviceRoom(device.mac))
    const at = deps.now()
    const cause = { by: 'unknown', from: 'board' } as const
    room.emit('switch-update', switchUpdateOf(device, { changed: [], cause, commandId: undefined, at }))
    if (about !== undefined) room.emit('update-from-device', { deviceMac: device.mac, update: about, at })
  }

  /** Coalesces requests: a reconnect and each message lost during it ask separately. Waits until no more come. */
  async function gather(): Promise<void> {
    for (let waits = 0; isDue() && waits < mostWaits; waits += 1) {
      isAskedAgain = false
      await settle()
    }
  }

  async function catchUp(): Promise<void> {
    await gather()
    const macs = [...io.sockets.adapter.rooms.keys()].flatMap((room) => macOfRoom(room) ?? [])
    const devices = await deps.readAgain(macs)
    const found = new Set(devices.map(({ mac }) => mac))
    // Its screens leave: the check of sockets would tell them that it was moved.
    for (const deviceMac of macs.filter((each) => !found.has(each))) endRoom(io, { deviceMac, reason: 'deleted' })
    // Before states are sent: the read above may have changed who owns a board.
    await deps.checkSockets()
    const about = await deps.describe(devices)
    for (const device of devices) notify(device, about.get(device.id))
    log.info({ boards: devices.length }, 'screens were refreshed')
  }

  async function run(): Promise<void> {
    isRunning = true
    do {
      await catchUp().catch((error: unknown) => log.error({ err: error }, 'screens could not be refreshed'))
    } while (isDue())
    isRunning = false
  }

  return () => {
    isAskedAgain = true
    if (!isRunning) void run()
  }
}
