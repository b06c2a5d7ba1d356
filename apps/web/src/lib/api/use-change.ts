import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { useApi } from '#web/lib/services.ts'
import type { OptionsOf } from '@batti/client/request'
import type { AnswerOf, CallableRoute } from '@batti/client/request'

/** A call that changes something: when it is done, what was read of it before is asked for anew. */
export function useChange<R extends CallableRoute>(route: R, touches: readonly (readonly string[])[]) {
  const api = useApi()
  const queryClient = useQueryClient()
  return async (...options: OptionsOf<R>): Promise<AnswerOf<R>> => {
    const answer = await api.call(route, ...options)
    await Promise.all(touches.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    return answer
  }
}

/** The rules of a call's body, for the form that sends it. */
export function bodyRules<Body extends z.ZodType>(route: { body?: Body }): Body {
  if (route.body === undefined) throw new Error('This call takes no body')
  return route.body
}
