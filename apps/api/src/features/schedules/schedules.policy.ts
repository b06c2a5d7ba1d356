import { staffMay, type Actor } from '../../platform/people/actor.ts'

interface Owned {
  userId: { toString(): string }
}

const owns = (actor: Actor, schedule: Owned): boolean =>
  actor.role === 'user' && schedule.userId.toString() === actor.userId

export const maySeeSchedule = (actor: Actor, schedule: Owned): boolean =>
  staffMay(actor, 'view schedules') || owns(actor, schedule)

export const mayChangeSchedule = (actor: Actor, schedule: Owned): boolean =>
  actor.role === 'admin' || owns(actor, schedule)
