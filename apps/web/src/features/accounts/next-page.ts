import type { Role } from '@batti/contracts'

/** A profile action for somebody who may have to log in first. */
export type Wish = 'verify-email' | 'verify-phone'
const wishes: readonly Wish[] = ['verify-email', 'verify-phone']

const profileFor = (role: Role, wish: Wish) => `/${role}/profile?action=${wish}`

/** Returns the profile's path with that dialog open; when signed out, the login's path with the action in its query. */
export const pathTo = (wish: Wish, role: Role | null): string =>
  role === null ? `/login?next=${wish}` : profileFor(role, wish)

/** Returns the page to open after the login, or null. Only known actions count: an address cannot redirect elsewhere. */
export function pathWanted(query: URLSearchParams, role: Role): string | null {
  const wish = wishes.find((known) => known === query.get('next'))
  return wish === undefined ? null : profileFor(role, wish)
}
