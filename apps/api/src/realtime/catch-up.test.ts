import { until } from '@batti/kit/testing'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { aLiveDevice } from '../testing/live-device.ts'
import type { LiveDevice } from '../boards/registry/live-device.ts'
import type { BattiServer } from '../platform/sockets.ts'
import { createCatchUp } from './catch-up.ts'
import { deviceRoom } from './device-events.ts'

function openCatchUp() {
  const device = aLiveDevice()
  const emit = vi.fn<(event: string) => void>()
  const settling: (() => void)[] = []
  const readAgain = vi.fn<() => Promise<LiveDevice[]>>(() => Promise.resolve([device]))
  const ask = createCatchUp({
    io: {
      local: { to: () => ({ emit }) },
      sockets: { adapter: { rooms: new Map([[deviceRoom(device.mac), new Set()]]) } }
    } as unknown as BattiServer,
    log: pino({ level: 'silent' }),
    readAgain,
    describe: () => Promise.resolve(new Map()),
    checkSockets: () => Promise.resolve(),
    now: () => 0,
    settle: () => new Promise<void>((resolve) => void settling.push(resolve))
  })
  return { ask, emit, readAgain, settling }
}

test('after a reconnect, screens get what was missed once', async () => {
  const { ask, emit, settling } = openCatchUp()
  ask()
  ask()
  settling[0]?.()
  await until('both reads have begun', () => settling.length === 2)
  settling[1]?.()
  await until('the screen is told', () => emit.mock.calls.length > 0)
  await new Promise(setImmediate)
  expect([settling.length, emit.mock.calls.length]).toEqual([2, 1])
})

test('what is missed while boards are read is sent after that', async () => {
  const { ask, emit, readAgain, settling } = openCatchUp()
  readAgain.mockImplementationOnce(() => {
    ask()
    return Promise.resolve([])
  })
  ask()
  settling[0]?.()
  await until('both reads have begun', () => settling.length === 2)
  settling[1]?.()
  await until('it is read again', () => readAgain.mock.calls.length === 2)
  await until('the screen hears of the switch', () => emit.mock.calls.some(([event]) => event === 'switch-update'))
})
