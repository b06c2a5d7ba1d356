import { ApiError } from '@batti/client/api-error'
import type { HttpRequest, Transport } from '@batti/client/transport'
import type { Timers } from '@batti/kit/clock'

/** How long the answer to a request may take to begin, milliseconds; null for as long as a browser waits. */
export type TimeLimit = (request: HttpRequest) => number | null

/**
 * What only reads can be asked again, and the screens say by then that it failed. What writes may have been done all the
 * same. Tables and uploads take as long as they take.
 */
const usual: TimeLimit = ({ method, headers, body }) => {
  if (method === 'get') return headers['accept'] === 'text/csv' ? null : 10_000
  return body instanceof FormData ? null : 30_000
}

/** Gives up a request when no answer begins in time, so that it can be made again: a browser waits for minutes. */
export function inTime(transport: Transport, clock: Pick<Timers, 'after'>, limitOf = usual): Transport {
  return (request) => {
    const withinMs = limitOf(request)
    if (withinMs === null) return transport(request)
    const { signal } = request
    return new Promise((resolve, reject) => {
      const controller = new AbortController()
      const stop = () => controller.abort()
      const cancel = clock.after(withinMs, () => {
        reject(new ApiError('LATE', 'The server did not answer in time.'))
        stop()
      })
      if (signal?.aborted === true) stop()
      signal?.addEventListener('abort', stop)
      transport({ ...request, signal: controller.signal, onAnswer: cancel })
        .finally(cancel)
        .then(resolve, reject)
    })
  }
}
