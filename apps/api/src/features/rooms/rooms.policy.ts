import { ownsAtHome, type Actor, type Owned } from '../../platform/people/actor.ts'

export const mayChangeRoom = (actor: Actor, room: Owned): boolean => actor.role === 'admin' || ownsAtHome(actor, room)
