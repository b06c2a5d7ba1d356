import type { Role } from '@batti/contracts'

/** What is asked for on the profile by somebody who may have to log in first. */
export type Wish = 'verify-email' | 'verify-phone'
const wishes: readonly Wish[] = ['verify-email', 'verify-phone']

const profileFor = (role: Role, wish: Wish) => `/${role}/profile?action=${wish}`

/** The profile with that modal open; signed out, by way of the log-in, which keeps the wish in its address. */
export const pathTo = (wish: Wish, role: Role | null): string =>
  role === null ? `/login?next=${wish}` : profileFor(role, wish)

/** The page that a log-in was on the way to; null without one. Only what is known here: an address leads nowhere else. */
export function pathWanted(query: URLSearchParams, role: Role): string | null {
  const wish = wishes.find((known) => known === query.get('next'))
  return wish === undefined ? null : profileFor(role, wish)
}
