import type { Location } from 'react-router-dom'
import type { SignOutReason } from '#web/lib/session/session.ts'

/** For the login's history entry: the page that it takes the place of. Nothing after somebody's own log-out. */
export const wayBackTo = ({ pathname, search }: Location, ending: SignOutReason | null) =>
  (ending ?? 'expired') === 'expired' ? { wayBack: pathname + search } : null
