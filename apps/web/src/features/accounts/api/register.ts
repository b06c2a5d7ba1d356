import { register } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from '#web/lib/services.ts'

export type RegistrationInput = z.input<NonNullable<typeof register.body>>

/** 256 bits of its own, so that a code can be used whose answer was lost. */
export const newRegistrationToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export interface Registration {
  input: RegistrationInput & { registrationToken: string }
  profileImage: File | null
  onUploadProgress: (fraction: number) => void
}

/** Without a token in it an answer is not broken: that has words of its own. */
const registerCall = {
  ...register,
  answer: z
    .object({ registrationToken: z.string().optional() })
    .nullish()
    .transform((data) => data?.registrationToken ?? '')
}

/** Makes a pending registration, whose code goes to the e-mail; answers the registration token, empty if there was none. */
export function useRegister() {
  const api = useApi()
  return useMutation({
    mutationFn: ({ input, profileImage, onUploadProgress }: Registration) =>
      api.call(registerCall, { body: input, file: profileImage, ...(profileImage !== null && { onUploadProgress }) })
  })
}
