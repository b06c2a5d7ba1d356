import { lateError, type HttpRequest, type Transport } from '@batti/client/transport'
import type { Timers } from '@batti/kit/clock'

/** Time limit in milliseconds until the answer begins; null for the browser's own limit. */
export type TimeLimit = (request: HttpRequest) => number | null

/**
 * Reads can be repeated, and screens report a slow one by then. Writes get longer, as a late one may still have been
 * done. CSV exports and uploads have no limit.
 */
const usual: TimeLimit = ({ method, headers, body }) => {
  if (method === 'get') return headers['accept'] === 'text/csv' ? null : 10_000
  return body instanceof FormData ? null : 30_000
}

/** Fails a request with `LATE` when no answer begins in time, so that it can be repeated: a browser would wait for minutes. */
export function inTime(transport: Transport, clock: Pick<Timers, 'after'>, limitOf = usual): Transport {
  return (request) => {
    const withinMs = limitOf(request)
    if (withinMs === null) return transport(request)
    const { signal } = request
    return new Promise((resolve, reject) => {
      const controller = new AbortController()
      const stop = () => controller.abort()
      const cancel = clock.after(withinMs, () => {
        reject(lateError())
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
