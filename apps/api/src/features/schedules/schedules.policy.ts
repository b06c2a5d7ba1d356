import { ownsAtHome, type Actor, type Owned } from '../../platform/people/actor.ts'

export const mayChangeSchedule = (actor: Actor, schedule: Owned): boolean =>
  actor.role === 'admin' || ownsAtHome(actor, schedule)
