import type { Outlet } from '@batti/contracts'
import type { CommandState } from './command-machine.ts'
import type { DeviceLive } from './device-live.ts'

/** How one outlet is drawn. `stale`: the page does not know, so nothing is lit. */
export type OutletPhase = 'idle' | 'pending' | 'confirmed' | 'no-answer' | 'refused' | 'offline' | 'stale'

export interface OutletView extends Outlet {
  index: number
  phase: OutletPhase
  /** Controls are locked while a command is under way. */
  isLocked: boolean
  /** Number of the request whose end is shown: a new number means that its motion plays again. */
  request: number
}

/**
 * The truth, with what a pending command asks for laid over it. Everything that ends a command takes the overlay away,
 * so the earlier state is there again, or the newer one that a report has brought meanwhile.
 */
export function viewOutlet(device: DeviceLive, index: number, command: CommandState | undefined): OutletView {
  const truth: Outlet = device.outlets[index] ?? { kind: 'switch', on: false }
  if (command?.phase === 'pending') {
    const { target, request } = command
    return { ...truth, ...target, index, phase: 'pending', isLocked: true, request }
  }
  const phase = !device.isFresh ? 'stale' : !device.isOnline ? 'offline' : (command?.phase ?? 'idle')
  return { ...truth, index, phase, isLocked: false, request: command?.request ?? 0 }
}

/** Whether light may be shown: never for what the page cannot know or the board cannot do. */
export function isLit(view: OutletView): boolean {
  return view.on && view.phase !== 'stale' && view.phase !== 'offline'
}

/** How many outlets of a board are burning as far as the page knows: none while it does not. */
export function litCount(device: DeviceLive): number {
  return device.isFresh && device.isOnline ? device.outlets.filter(({ on }) => on).length : 0
}
