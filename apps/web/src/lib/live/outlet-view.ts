import type { Outlet } from '@batti/contracts'
import type { CommandState } from './command-machine.ts'
import type { DeviceLive } from './device-live.ts'

/** How one outlet is drawn. `stale`: the page does not know, so nothing is lit. */
export type OutletPhase = 'idle' | 'pending' | 'confirmed' | 'no-answer' | 'refused' | 'offline' | 'stale'

export interface OutletView extends Outlet {
  index: number
  phase: OutletPhase
  /** Controls are locked while a command is under way, and while the board is between two versions. */
  isLocked: boolean
  /** Number of the request whose end is shown: a new number means that its motion plays again. */
  request: number
}

/**
 * The truth, with what a pending command asks for laid over it. Everything that ends a command takes the overlay away,
 * so the earlier state is there again, or the newer one that a report has brought meanwhile.
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

/** Nobody knows how it stands: the page has no connection, or its board does not answer. */
export function isUnknown({ phase }: OutletView): boolean {
  return phase === 'stale' || phase === 'offline'
}

/** Whether light may be shown: never for what nobody knows, nor for a fan that stands still. */
export function isLit(view: OutletView): boolean {
  return view.on && view.level !== 0 && !isUnknown(view)
}

export interface OutletCounts {
  on: number
  off: number
  /** Of boards that do not answer: what they said last may be long past. */
  unknown: number
}

/** How many of the outlets are on, off, or of a board that does not answer. */
export function countOutlets(devices: readonly DeviceLive[]): OutletCounts {
  const counts = { on: 0, off: 0, unknown: 0 }
  for (const { isFresh, isOnline, outlets } of devices) {
    for (const { on } of outlets) counts[!isFresh || !isOnline ? 'unknown' : on ? 'on' : 'off'] += 1
  }
  return counts
}
