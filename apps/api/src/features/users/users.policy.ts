import type { Actor } from '../../platform/people/actor.ts'

/** Where people live is the admin's to see; a monitor sees the rest. */
export const maySeeAddresses = (actor: Pick<Actor, 'role'>): boolean => actor.role === 'admin'
