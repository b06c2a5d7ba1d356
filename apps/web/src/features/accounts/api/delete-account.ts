import { deleteMyAccount } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'
import { useFarewell } from './farewell.ts'

/** Deletes the account; afterwards nobody is signed in and the public home is shown. */
export function useDeleteAccount() {
  const api = useApi()
  const farewell = useFarewell()
  return useMutation({
    mutationFn: (password: string) =>
      farewell('account-deleted', () => api.call(deleteMyAccount, { body: { password } }))
  })
}
