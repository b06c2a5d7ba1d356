import type { DeviceDocument } from './device.model.ts'

/**
 * The update that counts a board's revision of its settings or schedules up, in one step, beyond what it has confirmed too. That is
 * more than was counted where the database comes from a backup: the board would take a lower revision for an old message.
 */
export function countUp(what: 'config' | 'schedules') {
  const [counted, confirmed] = [`${what}Rev`, `${what}ConfirmedRev`]
  return [{ $set: { [counted]: { $add: [{ $max: [`$${counted}`, `$${confirmed}`] }, 1] } } }]
}

/** The same as a step to add, for an update that sets what people wrote: in a pipeline a `$` in it would be a field. */
export function configStep(board: Pick<DeviceDocument, 'configRev' | 'configConfirmedRev'>): number {
  return Math.max(board.configConfirmedRev - board.configRev, 0) + 1
}
