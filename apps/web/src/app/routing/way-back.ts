import type { Location } from 'react-router-dom'
import type { SignOutReason } from '#web/lib/session/session.ts'

/** For the login's history entry: the page of another role that somebody who is signed in asked for. */
export const wayBackOfOthers = ({ pathname, search }: Location) => ({ wayBack: pathname + search, isOfOthers: true })

/** For the login's history entry: the page that a session ended on by itself. All other log-ins lead to the role's home. */
export const wayBackTo = ({ pathname, search }: Location, ending: SignOutReason | null) =>
  ending === 'expired' ? { wayBack: pathname + search } : null
