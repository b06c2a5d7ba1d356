import { owns, staffMay, type Actor, type Owned } from '../../platform/people/actor.ts'

export const mayDeleteLog = (actor: Actor, row: Owned): boolean => actor.role === 'admin' || owns(actor, row)

/** Staff may see phone numbers; other users only their own, never that of staff who helped. */
export const maySeePhoneOf = (actor: Actor, personId: string): boolean =>
  staffMay(actor, 'view logs') || actor.userId === personId
