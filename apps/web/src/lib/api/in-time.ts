import { ApiError } from '@batti/client/api-error'
import type { Transport } from '@batti/client/transport'
import type { Timers } from '@batti/kit/clock'

/** The screens say by then that it failed. */
const answerWithinMs = 10_000

/** Gives up what only reads when no answer begins in time, so that it can be asked again: a browser waits for minutes. */
export function inTime(transport: Transport, clock: Pick<Timers, 'after'>): Transport {
  return (request) => {
    const { method, headers, signal } = request
    // A table may take the server longer.
    if (method !== 'get' || headers['accept'] === 'text/csv') return transport(request)
    return new Promise((resolve, reject) => {
      const controller = new AbortController()
      const stop = () => controller.abort()
      const cancel = clock.after(answerWithinMs, () => {
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
