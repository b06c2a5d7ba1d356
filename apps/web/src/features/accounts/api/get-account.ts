import { getAccount } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { sessionUser } from '#web/lib/session/session-user.ts'
import { useServices } from '#web/lib/services.ts'
import { queryKeys } from '#web/lib/query-keys.ts'

/** Queries the account and updates the session's user, which the header and the guards use. */
export function useAccount() {
  const { api, session } = useServices()
  return useQuery({
    queryKey: queryKeys.account,
    queryFn: async ({ signal }) => {
      const record = await api.call(getAccount, { signal })
      session.updateUser(sessionUser.parse(record))
      return record
    }
  })
}
