import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { useApi } from '#web/lib/services.ts'
import { readAgain } from './after-write.ts'
import type { OptionsOf } from '@batti/client/request'
import type { AnswerOf, CallableRoute } from '@batti/client/request'

/** A call that changes something: what was read of it before is asked for anew, also where nobody knows what was done. */
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

/** The rules of a call's body, for the form that sends it. */
export function bodyRules<Body extends z.ZodType>(route: { body?: Body }): Body {
  if (route.body === undefined) throw new Error('This call takes no body')
  return route.body
}
