import { forgotPassword } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import type { ForgotPasswordRequest } from '#web/lib/session/pending-values.ts'
import { useServices } from '#web/lib/services.ts'
import { wasCodeSent } from './code-was-sent.ts'
import { identifyingField } from './forgot-rules.ts'

/** Requests a reset code and stores the e-mail or phone, so that the next screen can show it. */
export function useForgotPassword() {
  const { api, pending } = useServices()
  return useMutation({
    mutationFn: (request: ForgotPasswordRequest) => api.call(forgotPassword, { body: identifyingField(request) }),
    onSuccess: (_, request) => pending.keepForgotPassword(request),
    onError: (error, request) => {
      if (wasCodeSent(error)) pending.keepForgotPassword(request)
    }
  })
}
