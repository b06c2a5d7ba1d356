import { resetPassword } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import type { ForgotPasswordRequest } from '#web/lib/session/pending-values.ts'
import { useServices } from '#web/lib/services.ts'
import { identifyingField } from './forgot-rules.ts'

/** Either a code with the account it was sent to, or the token of a link, which identifies the account. */
export type Reset = { newPassword: string } & (
  | { by: 'code'; otp: string; request: ForgotPasswordRequest }
  | { by: 'link'; token: string }
)

/** Sets a new password and removes the stored request. */
export function useResetPassword() {
  const { api, pending } = useServices()
  return useMutation({
    mutationFn: (reset: Reset) => {
      const { newPassword } = reset
      return reset.by === 'code'
        ? api.call(resetPassword, { body: { otp: reset.otp, newPassword, ...identifyingField(reset.request) } })
        : api.call(resetPassword, { body: { token: reset.token, newPassword } })
    },
    onSuccess: () => pending.dropForgotPassword()
  })
}
