import type { Location } from 'react-router-dom'
import type { SignOutReason } from '#web/lib/session/session.ts'

/** State for the login's history entry: the signed-in person asked for this page of another role. */
export const wayBackOfOthers = ({ pathname, search }: Location) => ({ wayBack: pathname + search, isOfOthers: true })

/** State for the login's history entry: the page on which a session expired. Every other login leads to the role's home. */
export const wayBackTo = ({ pathname, search }: Location, ending: SignOutReason | null) =>
  ending === 'expired' ? { wayBack: pathname + search } : null
