import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import type { KeyValueStorage } from '#web/lib/storage.ts'

/** The value of `fp_user`: the account whose password is being reset. */
const forgotPasswordRequest = z.object({ type: z.enum(['email', 'phone']), value: z.string().min(1) })
export type ForgotPasswordRequest = z.infer<typeof forgotPasswordRequest>

/** Stored values that wait for a code: `registrationToken` and `fp_user`. */
export function createPendingValues(storage: KeyValueStorage) {
  return {
    registrationToken: () => storage.getItem('registrationToken'),
    keepRegistrationToken: (token: string) => storage.setItem('registrationToken', token),
    dropRegistrationToken: () => storage.removeItem('registrationToken'),
    /** `missing` and `invalid` lead to different messages. */
    forgotPassword: (): ForgotPasswordRequest | 'missing' | 'invalid' => {
      const text = storage.getItem('fp_user')
      if (text === null) return 'missing'
      const parsed = forgotPasswordRequest.safeParse(parseJson(text))
      return parsed.success ? parsed.data : 'invalid'
    },
    keepForgotPassword: (request: ForgotPasswordRequest) => storage.setItem('fp_user', JSON.stringify(request)),
    dropForgotPassword: () => storage.removeItem('fp_user')
  }
}
export type PendingValues = ReturnType<typeof createPendingValues>
