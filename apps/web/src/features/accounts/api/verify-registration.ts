import { verifyRegistration } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'

/** Finishes a sign-up with the code from the mail. */
export function useVerifyRegistration() {
  const api = useApi()
  return useMutation({
    mutationFn: (body: { otp: string; registrationToken: string }) => api.call(verifyRegistration, { body })
  })
}
