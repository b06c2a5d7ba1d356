import { ownsAtHome, staffMay, type Actor, type Owned } from '../../platform/people/actor.ts'

/** A person sees their own rooms; `view devices` opens the lists of rooms to a monitor. */
export const maySeeRoom = (actor: Actor, room: Owned): boolean =>
  staffMay(actor, 'view devices') || ownsAtHome(actor, room)

export const mayChangeRoom = (actor: Actor, room: Owned): boolean => actor.role === 'admin' || ownsAtHome(actor, room)
