import type { Outlet } from '@batti/contracts'
import type { CommandState } from './command-machine.ts'
import type { DeviceLive } from './device-live.ts'

/** How one outlet is shown. `stale`: its state may be outdated, so nothing is lit. */
export type OutletPhase = 'idle' | 'pending' | 'confirmed' | 'no-answer' | 'refused' | 'offline' | 'stale'

export interface OutletView extends Outlet {
  index: number
  phase: OutletPhase
  /** Controls are locked while a command is pending, and while the board installs a version. */
  isLocked: boolean
  /** The request whose end is shown: a new number plays its animation again. */
  request: number
}

/**
 * Returns the outlet's state, with the values of a pending command over it. When the command ends, the overlay is
 * removed: the earlier state is visible again, or the one of a newer report.
 */
export function viewOutlet(
  device: DeviceLive,
  index: number,
  command: CommandState | undefined,
  isInstalling = false
): OutletView {
  const truth: Outlet = device.outlets[index] ?? { kind: 'switch', on: false }
  if (command?.phase === 'pending') {
    const { target, request } = command
    return { ...truth, ...target, index, phase: 'pending', isLocked: true, request }
  }
  const phase = !device.isFresh ? 'stale' : !device.isOnline ? 'offline' : (command?.phase ?? 'idle')
  return { ...truth, index, phase, isLocked: isInstalling, request: command?.request ?? 0 }
}

/** Returns whether the state is unknown: the page has no connection, or the board is offline. */
export function isUnknown({ phase }: OutletView): boolean {
  return phase === 'stale' || phase === 'offline'
}

/** Returns whether the outlet is shown as lit: never with an unknown state, nor for a fan at level 0. */
export function isLit(view: OutletView): boolean {
  return view.on && view.level !== 0 && !isUnknown(view)
}

export interface OutletCounts {
  on: number
  off: number
  /** Outlets of boards that do not answer: their last report may be long past. */
  unknown: number
}

/** Counts the outlets that are on, off, or unknown because their board does not answer. */
export function countOutlets(devices: readonly DeviceLive[]): OutletCounts {
  const counts = { on: 0, off: 0, unknown: 0 }
  for (const { isFresh, isOnline, outlets } of devices) {
    for (const { on } of outlets) counts[!isFresh || !isOnline ? 'unknown' : on ? 'on' : 'off'] += 1
  }
  return counts
}
