import type { Timers } from '@batti/kit/clock'
import type { DeviceConfig, DeviceEffect, DeviceEvent, DeviceState } from '../device/device-state.ts'
import { nextWakeAt, step } from '../device/device.ts'
import { createWake } from './wake.ts'

interface RunningDeviceOptions {
  clock: Timers
  /** Aborted when the power goes: no event counts any more. */
  signal: AbortSignal
  /** `before`: the device as the step found it. */
  perform(effect: DeviceEffect, before: DeviceState): void
  /** Called after each event. */
  changed(): void
}

/** The device of one power-up: it takes events one by one, hands on their effects, and ticks when something is due. */
export function createRunningDevice({ clock, signal, perform, changed }: RunningDeviceOptions) {
  let state: DeviceState | null = null
  const wake = createWake(clock, () => dispatch({ kind: 'tick' }))

  function dispatch(event: DeviceEvent): void {
    if (state === null || signal.aborted) return
    const before = state
    const { state: next, effects } = step(before, event, clock.now())
    state = next
    for (const effect of effects) perform(effect, before)
    rearm()
    changed()
  }

  function rearm(): void {
    if (state !== null) wake.arm(nextWakeAt(state))
  }

  return {
    /** Null while the board boots. */
    state: (): DeviceState | null => state,
    /** The boot is done. */
    start(booted: DeviceState): void {
      state = booted
      rearm()
    },
    /** Lays `change` over its configuration; nothing is told to anybody. */
    configure(change: Partial<DeviceConfig>): void {
      if (state !== null) state = { ...state, config: { ...state.config, ...change } }
    },
    dispatch,
    /** It ticks no more by itself. */
    stop: (): void => wake.cancel()
  }
}

export type RunningDevice = ReturnType<typeof createRunningDevice>
