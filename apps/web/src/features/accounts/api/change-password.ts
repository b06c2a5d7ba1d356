import { changePassword } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'
import { useFarewell } from './farewell.ts'

/** Changes the password, which ends every session of the account; this one ends after its message was shown. */
export function useChangePassword() {
  const api = useApi()
  const farewell = useFarewell()
  return useMutation({
    mutationFn: (body: { oldPassword: string; newPassword: string }) =>
      farewell('logout', () => api.call(changePassword, { body }))
  })
}
