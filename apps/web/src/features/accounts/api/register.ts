import { register } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from '#web/lib/services.ts'

export type RegistrationInput = z.input<NonNullable<typeof register.body>>

/** Generated here (256 bits), so that the code can be used even if the server's answer was lost. */
export const newRegistrationToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export interface Registration {
  input: RegistrationInput & { registrationToken: string }
  profileImage: File | null
  onUploadProgress: (fraction: number) => void
}

/** The answer may lack a token: that has a message of its own. */
const registerCall = {
  ...register,
  answer: z
    .object({ registrationToken: z.string().optional() })
    .nullish()
    .transform((data) => data?.registrationToken ?? '')
}

/** Creates a pending registration, whose code is sent by e-mail. Returns the registration token, or '' without one. */
export function useRegister() {
  const api = useApi()
  return useMutation({
    mutationFn: ({ input, profileImage, onUploadProgress }: Registration) =>
      api.call(registerCall, { body: input, file: profileImage, ...(profileImage !== null && { onUploadProgress }) })
  })
}
