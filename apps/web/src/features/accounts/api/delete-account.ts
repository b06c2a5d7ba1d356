import { deleteMyAccount } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'
import { useSignOutAfter } from './sign-out-after.ts'

/** Deletes the account; afterwards nobody is signed in and the public home is shown. */
export function useDeleteAccount() {
  const api = useApi()
  const signOutAfter = useSignOutAfter()
  return useMutation({
    mutationFn: (password: string) =>
      signOutAfter('account-deleted', () => api.call(deleteMyAccount, { body: { password } }))
  })
}
