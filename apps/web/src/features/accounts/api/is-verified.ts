import { getAccount } from '@batti/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import type { Contact } from './request-code.ts'

/** Returns a read of whether the account's contact is verified by now; false if that cannot be read. */
export function useIsVerified(contact: Contact) {
  const api = useApi()
  const queryClient = useQueryClient()
  return async (): Promise<boolean> => {
    const account = await api.call(getAccount).catch(() => null)
    if (account === null) return false
    if (contact === 'email' ? account.emailVerification : account.phoneVerification) return true
    // Another phone may have changed the address. (The record of a verified one would end the panel before its message.)
    queryClient.setQueryData(queryKeys.account, account)
    return false
  }
}
