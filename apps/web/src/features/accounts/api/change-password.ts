import { changePassword } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'
import { useSignOutAfter } from './sign-out-after.ts'

/** Changes the password, which ends every session of the account; this one ends after its message was shown. */
export function useChangePassword() {
  const api = useApi()
  const signOutAfter = useSignOutAfter()
  return useMutation({
    mutationFn: (body: { oldPassword: string; newPassword: string }) =>
      signOutAfter('logout', () => api.call(changePassword, { body }))
  })
}
