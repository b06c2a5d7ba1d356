import { register } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { useApi } from '../../../lib/services.ts'

export type RegistrationInput = z.input<NonNullable<typeof register.body>>

export interface Registration {
  input: RegistrationInput
  profileImage: File | null
  onUploadProgress: (fraction: number) => void
}

/** Makes a pending registration; its code goes to the e-mail. */
export function useRegister() {
  const api = useApi()
  return useMutation({
    mutationFn: ({ input, profileImage, onUploadProgress }: Registration) =>
      api.call(register, { body: input, file: profileImage, ...(profileImage !== null && { onUploadProgress }) })
  })
}
