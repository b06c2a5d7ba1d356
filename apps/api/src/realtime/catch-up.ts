import { setTimeout as wait } from 'node:timers/promises'
import { levelListsOf, statesToWire, type DeviceUpdateEvent } from '@batti/contracts'
import type { Logger } from 'pino'
import type { LiveDevice } from '../boards/registry/live-device.ts'
import type { BattiServer } from '../platform/sockets.ts'
import { deviceRoom } from './device-events.ts'

/** What others took a moment ago is in the database by then: it collects for 250 ms, and a busy store takes its time. */
const settleMs = 800
/** However often something is lost meanwhile. */
const mostWaits = 5

/**
 * Something that other instances told may be missing here: what is shown is read again and told whole, without the id of
 * any command, since each command was told by whoever waited for it.
 */
export function createCatchUp(deps: {
  io: BattiServer
  log: Logger
  /** Reads those boards again, and forgets what nobody looks at. Answers those that are still there. */
  readAgain(macs: readonly string[]): Promise<LiveDevice[]>
  describe(live: readonly LiveDevice[]): Promise<Map<string, DeviceUpdateEvent['update']>>
  /** Who is connected may have lost what let them in. */
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
    room.emit('switch-update', {
      deviceMac: device.mac,
      isOnline: device.isOnline,
      update: { ...statesToWire(device.outlets), ...levelListsOf(device.outlets) },
      cause: { by: 'unknown', from: 'board' },
      bootId: device.bootId,
      seq: device.seq,
      at
    })
    if (about !== undefined) room.emit('update-from-device', { deviceMac: device.mac, update: about, at })
  }

  /** A line that comes back and what was lost on it ask one by one: who asks until it is quiet is answered together. */
  async function gather(): Promise<void> {
    for (let waits = 0; isDue() && waits < mostWaits; waits += 1) {
      isAskedAgain = false
      await settle()
    }
  }

  async function catchUp(): Promise<void> {
    await gather()
    const prefix = deviceRoom('')
    const macs = [...io.sockets.adapter.rooms.keys()].flatMap((room) =>
      room.startsWith(prefix) ? [room.slice(prefix.length)] : []
    )
    const devices = await deps.readAgain(macs)
    const found = new Set(devices.map(({ mac }) => mac))
    for (const mac of macs.filter((each) => !found.has(each)))
      io.local.to(deviceRoom(mac)).emit('device-removed', { deviceMac: mac, reason: 'deleted' })
    // Before the boards are told: whose they are has been read.
    await deps.checkSockets()
    const about = await deps.describe(devices)
    for (const device of devices) notify(device, about.get(device.id))
    log.info({ boards: devices.length }, 'screens were told everything anew')
  }

  async function run(): Promise<void> {
    isRunning = true
    do {
      await catchUp().catch((error: unknown) => log.error({ err: error }, 'screens could not be told everything anew'))
    } while (isDue())
    isRunning = false
  }

  return () => {
    isAskedAgain = true
    if (!isRunning) void run()
  }
}
