import { ApiError } from '@batti/client/api-error'
import type { HttpRequest, Transport } from '@batti/client/transport'
import type { Timers } from '@batti/kit/clock'

export interface TimeLimit {
  /** How long the answer may take to begin, milliseconds. */
  withinMs: number
  isMeant: (request: HttpRequest) => boolean
}

/** What only reads can be asked again; the screens say by then that it failed. A table may take the server longer. */
const reading: TimeLimit = {
  withinMs: 10_000,
  isMeant: ({ method, headers }) => method === 'get' && headers['accept'] !== 'text/csv'
}

/** Gives up a request when no answer begins in time, so that it can be made again: a browser waits for minutes. */
export function inTime(transport: Transport, clock: Pick<Timers, 'after'>, { withinMs, isMeant } = reading): Transport {
  return (request) => {
    if (!isMeant(request)) return transport(request)
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
