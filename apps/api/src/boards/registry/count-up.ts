/**
 * The update that counts a board's revision of its settings or schedules up, in one step, beyond what it has confirmed too. That is
 * more than was counted where the database comes from a backup: the board would take a lower revision for an old message.
 */
export function countUp(what: 'config' | 'schedules') {
  const [counted, confirmed] = [`${what}Rev`, `${what}ConfirmedRev`]
  return [{ $set: { [counted]: { $add: [{ $max: [`$${counted}`, `$${confirmed}`] }, 1] } } }]
}
