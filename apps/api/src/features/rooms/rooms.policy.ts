import { ownsAtHome, staffMay, type Actor, type Owned } from '../../platform/people/actor.ts'

/** Users see their own rooms; monitors need `view devices`. */
export const maySeeRoom = (actor: Actor, room: Owned): boolean =>
  staffMay(actor, 'view devices') || ownsAtHome(actor, room)

export const mayChangeRoom = (actor: Actor, room: Owned): boolean => actor.role === 'admin' || ownsAtHome(actor, room)
