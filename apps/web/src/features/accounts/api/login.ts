import { login, tokenPair } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { readClaims } from '#web/lib/session/access-token.ts'
import { sessionUser } from '#web/lib/session/session-user.ts'
import { useServices } from '#web/lib/services.ts'
import { loginPayload, type LoginInput } from './login-rules.ts'

/** Lenient: the answer's user needs only a role. The token has the id, and the account is read later. */
const loginCall = { ...login, answer: tokenPair.extend({ user: z.looseObject({ role: z.string() }) }) }

/** Logs in and stores both tokens and the user. */
export function useLogin() {
  const { api, session } = useServices()
  return useMutation({
    mutationFn: (input: LoginInput) => api.call(loginCall, { body: loginPayload(input) }),
    onSuccess: ({ accessToken, refreshToken, user }) =>
      session.signIn({ accessToken, refreshToken }, sessionUser.parse({ _id: readClaims(accessToken)?.sub, ...user }))
  })
}
