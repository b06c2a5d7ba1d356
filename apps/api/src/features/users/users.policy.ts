import type { Actor } from '../../platform/people/actor.ts'

/** Only admins see postal addresses; monitors see the rest. */
export const maySeeAddresses = (actor: Pick<Actor, 'role'>): boolean => actor.role === 'admin'
