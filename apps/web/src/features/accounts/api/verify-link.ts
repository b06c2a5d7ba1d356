import { verifyEmailLink, verifyPhoneLink, verifyResetToken } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'

/** The three kinds of links in e-mails and SMS messages. */
const calls = { email: verifyEmailLink, phone: verifyPhoneLink, 'forgot-password': verifyResetToken } as const
export type LinkType = keyof typeof calls
export const isLinkType = (type: string | undefined): type is LinkType =>
  type !== undefined && Object.hasOwn(calls, type)

/**
 * A query, not a mutation, so that a page that is rendered twice uses the token once. Two of the links are spent by
 * this call: it is never retried automatically, and its result is cached for the life of the page.
 */
export function useVerifyLink(type: LinkType, token: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['verify-link', type, token],
    queryFn: async () => {
      await api.call(calls[type], { query: { token } })
      return true
    },
    retry: false,
    staleTime: Infinity,
    gcTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false
  })
}
