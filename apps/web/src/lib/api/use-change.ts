import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { useApi } from '#web/lib/services.ts'
import { readAgain } from './after-write.ts'
import type { OptionsOf, AnswerOf, CallableRoute } from '@batti/client/request'

/** Returns a call that changes data and then refetches the affected queries, also when its outcome is unknown. */
export function useChange<R extends CallableRoute>(route: R, touches: readonly (readonly string[])[]) {
  const api = useApi()
  const queryClient = useQueryClient()
  return async (...options: OptionsOf<R>): Promise<AnswerOf<R>> => {
    try {
      const answer = await api.call(route, ...options)
      await readAgain(queryClient, touches)
      return answer
    } catch (error) {
      await readAgain(queryClient, touches, error)
      throw error
    }
  }
}

/** Returns the schema of a call's body, for the form that sends it. */
export function bodyRules<Body extends z.ZodType>(route: { body?: Body }): Body {
  if (route.body === undefined) throw new Error('This call takes no body')
  return route.body
}
