import { login } from '@batti/contracts'
import { useMutation } from '@tanstack/react-query'
import { sessionUser } from '#web/lib/session/session-user.ts'
import { useServices } from '#web/lib/services.ts'
import { loginPayload, type LoginInput } from './login-rules.ts'

/** Logs in and keeps both tokens and the user. */
export function useLogin() {
  const { api, session } = useServices()
  return useMutation({
    mutationFn: (input: LoginInput) => api.call(login, { body: loginPayload(input) }),
    onSuccess: ({ accessToken, refreshToken, user }) =>
      session.signIn({ accessToken, refreshToken }, sessionUser.parse(user))
  })
}
