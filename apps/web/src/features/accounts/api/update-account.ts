import { updateAccount } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/api/after-write.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { sessionUser } from '#web/lib/session/session-user.ts'
import { useServices } from '#web/lib/services.ts'

export interface ProfileChange {
  input: { name?: string; email?: string; phone?: string; address?: string }
  profileImage: File | null
  onUploadProgress: (fraction: number) => void
}

/** Changes the profile; the page, the header and the guards show the new record at once. */
export function useUpdateAccount() {
  const { api, session } = useServices()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ input, profileImage, onUploadProgress }: ProfileChange) =>
      api.call(updateAccount, { body: input, file: profileImage, ...(profileImage !== null && { onUploadProgress }) }),
    onSuccess: (record) => {
      queryClient.setQueryData(queryKeys.account, record)
      session.updateUser(sessionUser.parse(record))
    },
    // The answer has the new record, so a refetch is needed only after a failure.
    onSettled: (_, error) => (error === null ? undefined : readAgain(queryClient, [queryKeys.account], error))
  })
}
