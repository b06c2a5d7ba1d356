import { verifyEmail, verifyPhone } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'
import type { Contact } from './request-code.ts'

const calls = { email: verifyEmail, phone: verifyPhone } as const

/** Verifies the account's e-mail or phone with the code that was sent there. */
export function useVerifyContact(contact: Contact) {
  const api = useApi()
  return useMutation({ mutationFn: async (otp: string) => api.call(calls[contact], { body: { otp } }) })
}
