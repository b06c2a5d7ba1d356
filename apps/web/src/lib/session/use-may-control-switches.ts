import { useUser } from '#web/lib/services.ts'
import { mayControlSwitches } from './session-user.ts'

/** Returns whether the signed-in person may control switches; also true for a page that is left after a log-out. */
export function useMayControlSwitches(): boolean {
  const user = useUser()
  return user === null || mayControlSwitches(user)
}
