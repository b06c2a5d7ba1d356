import { verifyRegistration } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { useServices } from '#web/lib/services.ts'

/** Completes a registration with the code from the e-mail. */
export function useVerifyRegistration() {
  const { api, pending } = useServices()
  return useMutation({
    mutationFn: (body: { otp: string; registrationToken: string }) => api.call(verifyRegistration, { body }),
    onSuccess: () => pending.dropRegistrationToken()
  })
}
