import { ownsAtHome, staffMay, type Actor, type Owned } from '../../platform/people/actor.ts'

export const maySeeSchedule = (actor: Actor, schedule: Owned): boolean =>
  staffMay(actor, 'view schedules') || ownsAtHome(actor, schedule)

export const mayChangeSchedule = (actor: Actor, schedule: Owned): boolean =>
  actor.role === 'admin' || ownsAtHome(actor, schedule)
