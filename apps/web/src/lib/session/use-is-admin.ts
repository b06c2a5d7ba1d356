import { useUser } from '#web/lib/services.ts'

/** Whether the signed-in person may change records: monitors look, admins act. */
export function useIsAdmin(): boolean {
  return useUser()?.role === 'admin'
}
