import { createFakeClock } from '@batti/kit/testing'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createEventBus } from '../platform/events.ts'
import { deviceRoom, staffRoom } from './device-events.ts'
import { createSocketServer } from './socket-server.ts'

const boardSpoke = { deviceId: 'a', deviceMac: 'AABBCCDDEEFF', update: { wifiRSSI: -60 }, at: 1000 }
const figures = { online: 1, offline: 0, silent: 0, flapping: 0, failing: 0 }

test("events for empty rooms are not even encoded, so that a board's report each minute costs nothing there", async () => {
  const events = createEventBus(pino({ enabled: false }))
  const limits = { commandsPerSecond: 20, joinsPerMinute: 600, sockets: 200 }
  const options = { http: createServer(), events, limits, listeners: [], timers: createFakeClock() }
  const io = createSocketServer(options as unknown as Parameters<typeof createSocketServer>[0])
  const { adapter } = io.sockets
  const written = vi.spyOn(adapter, 'broadcast')
  try {
    events.emit('device-changed', boardSpoke)
    events.emit('fleet-changed', figures)
    expect(written).not.toHaveBeenCalled()

    await adapter.addAll('a-screen', new Set([deviceRoom(boardSpoke.deviceMac)]))
    events.emit('device-changed', boardSpoke)
    events.emit('fleet-changed', figures)
    expect(written).toHaveBeenCalledTimes(1)

    await adapter.addAll('of-staff', new Set([staffRoom]))
    events.emit('fleet-changed', figures)
    expect(written).toHaveBeenCalledTimes(2)

    // Schedules go to the screens of their board's home only.
    const edited = (update: Record<string, unknown>) =>
      events.emit('device-edited', { ...boardSpoke, deviceMac: 'other', update })
    edited({ schedulesRev: 2 })
    expect(written).toHaveBeenCalledTimes(2)
    edited({ setName: 'Hall' })
    expect(written).toHaveBeenCalledTimes(3)
  } finally {
    await io.close()
  }
})
