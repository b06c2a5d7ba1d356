import { useUser } from '#web/lib/services.ts'

/** Returns whether the signed-in person may change records: monitors only view them. */
export function useIsAdmin(): boolean {
  return useUser()?.role === 'admin'
}
