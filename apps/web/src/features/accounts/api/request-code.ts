import { requestEmailVerification, requestPhoneVerification } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'

export type Contact = 'email' | 'phone'
const calls = { email: requestEmailVerification, phone: requestPhoneVerification } as const

/** Sends a code to the account's own e-mail or phone; returns the server's message. */
export function useRequestCode(contact: Contact) {
  const api = useApi()
  return useMutation({ mutationFn: async () => (await api.callEnvelope(calls[contact])).message })
}
