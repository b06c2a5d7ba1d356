import { staffMay, type Actor } from '../../platform/people/actor.ts'

interface Owned {
  userId: { toString(): string }
}

const owns = (actor: Actor, room: Owned): boolean => actor.role === 'user' && room.userId.toString() === actor.userId

/** A person sees their own rooms; `view devices` opens the lists of rooms to a monitor. */
export const maySeeRoom = (actor: Actor, room: Owned): boolean => staffMay(actor, 'view devices') || owns(actor, room)

export const mayChangeRoom = (actor: Actor, room: Owned): boolean => actor.role === 'admin' || owns(actor, room)
