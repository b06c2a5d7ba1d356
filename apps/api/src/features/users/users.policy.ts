import type { Actor } from '../../platform/people/actor.ts'

/** Where people live is the admin's to see; a monitor sees the rest (contract-decisions §3). */
export const maySeeAddresses = (actor: Pick<Actor, 'role'>): boolean => actor.role === 'admin'
