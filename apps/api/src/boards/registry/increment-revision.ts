import type { DeviceDocument } from './device.model.ts'

/**
 * Returns an update that increments a board's settings or schedules revision atomically, past the confirmed revision too. After a
 * restore from a backup the confirmed one may be higher, and the board would ignore a lower revision as an old message.
 */
export function incrementRevision(what: 'config' | 'schedules') {
  const [counted, confirmed] = [`${what}Rev`, `${what}ConfirmedRev`]
  return [{ $set: { [counted]: { $add: [{ $max: [`$${counted}`, `$${confirmed}`] }, 1] } } }]
}

/** The same increment as a number, for `$inc` beside text that people wrote: in a pipeline, a `$` in it would name a field. */
export function configStep(board: Pick<DeviceDocument, 'configRev' | 'configConfirmedRev'>): number {
  return Math.max(board.configConfirmedRev - board.configRev, 0) + 1
}
