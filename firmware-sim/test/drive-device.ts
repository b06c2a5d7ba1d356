import { outletsFromWire, statesToWire, type DeviceReport, type SwitchUpdatePayload } from '@batti/contracts'
import {
  emptyConfig,
  type DeviceEffect,
  type DeviceEvent,
  type DeviceSeed,
  type DeviceState
} from '../src/device/device-state.ts'
import { powerOn, step } from '../src/device/device.ts'

/** Two switches, a fan and a socket, all off. */
export function wallFan(speed: number[]) {
  return outletsFromWire({ switch: [false, false, false, false], speed, fanIndexes: [2], socketIndexes: [3] })
}

export const seed: DeviceSeed = {
  outlets: wallFan([0, 0, 120, 0]),
  bootId: 'boot-0001',
  osVersion: '1.4.0',
  localIp: '192.168.1.7',
  rssi: -58,
  config: { ...emptyConfig, rev: 3 },
  timetable: null,
  rememberedOffset: null,
  firmwareOutcome: null
}

/** The server's clock is ahead of the board's by this much. */
export const serverAhead = 5_000_000

/** Drives one device and collects its messages. */
export function drive(overrides: Partial<DeviceSeed> = {}) {
  let now = 1000
  let state: DeviceState = powerOn({ ...seed, ...overrides }, now)
  const effects: DeviceEffect[] = []
  const run = (event: DeviceEvent): readonly DeviceEffect[] => {
    const done = step(state, event, now)
    state = done.state
    effects.push(...done.effects)
    return done.effects
  }
  const payloads = (from: readonly DeviceEffect[], topic: string): unknown[] =>
    from.flatMap((effect) => (effect.kind === 'publish' && effect.topic === topic ? [effect.payload] : []))
  return {
    run,
    state: () => state,
    states: () => statesToWire(state.outlets),
    now: () => now,
    later(ms: number) {
      now += ms
      return run({ kind: 'tick' })
    },
    connect() {
      run({ kind: 'connecting' })
      return run({ kind: 'connected', jitter: 0.5 })
    },
    command: (command: Partial<SwitchUpdatePayload>) =>
      run({
        kind: 'received',
        topic: 'switch-update',
        payload: { id: 'c1', set: [{ index: 0, on: true }], expiresAt: now + serverAhead + 4000, ...command }
      }),
    ack: (seq: number) =>
      run({ kind: 'received', topic: 'ack', payload: { bootId: state.bootId, seq, serverTime: now + serverAhead } }),
    reports: (from: readonly DeviceEffect[] = effects) => payloads(from, 'update-from-device') as DeviceReport[],
    statuses: (from: readonly DeviceEffect[] = effects) => payloads(from, 'status')
  }
}
