import type { Timers } from '@batti/kit/clock'
import type { DeviceConfig, DeviceEffect, DeviceEvent, DeviceState } from '../device/device-state.ts'
import { nextWakeAt, step } from '../device/device.ts'
import { createWakeTimer } from './wake-timer.ts'

interface RunningDeviceOptions {
  clock: Timers
  /** Aborted when the power is cut; later events are ignored. */
  signal: AbortSignal
  /** `before` is the state of the device before the step. */
  perform(effect: DeviceEffect, before: DeviceState): void
  /** Called after each event. */
  changed(): void
}

/** Runs the device of one power-up: handles events one by one, performs their effects, and ticks when something is due. */
export function createRunningDevice({ clock, signal, perform, changed }: RunningDeviceOptions) {
  let state: DeviceState | null = null
  const wake = createWakeTimer(clock, () => dispatch({ kind: 'tick' }))

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
    /** Starts the device at the end of the boot. */
    start(booted: DeviceState): void {
      state = booted
      rearm()
    },
    /** Merges `change` into the configuration, without a report. */
    configure(change: Partial<DeviceConfig>): void {
      if (state !== null) state = { ...state, config: { ...state.config, ...change } }
    },
    dispatch,
    /** Stops the ticks. */
    stop: (): void => wake.cancel()
  }
}

export type RunningDevice = ReturnType<typeof createRunningDevice>
