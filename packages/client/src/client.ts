import { sleep, systemClock, type Timers } from '@batti/kit/clock'
import { readAnswer } from './answer.ts'
import { ApiError } from './api-error.ts'
import type { AnswerOf, CallableRoute, CallOptions, OptionsOf } from './request.ts'
import { send } from './send.ts'
import { fetchTransport } from './transport.ts'

export interface Client {
  /** Sends a call and returns its `data`, parsed by the route's schema. @throws ApiError. */
  call: <R extends CallableRoute>(route: R, ...options: OptionsOf<R>) => Promise<AnswerOf<R>>
  /** Returns the same client with this access token. */
  as: (token: string) => Client
}

export interface ClientDeps {
  /** The server's origin, such as `http://127.0.0.1:49998`. */
  base: string
  token?: string
  clock?: Pick<Timers, 'after'>
}

const attempts = 3
const longestWaitMs = 70_000

/** Creates an API client for programs, typed by the routes of the contracts. After a 429 it waits for `Retry-After`. */
export function createClient(deps: ClientDeps): Client {
  const { base, token = null, clock = systemClock } = deps

  async function exchange(route: CallableRoute, options: CallOptions<CallableRoute> = {}): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return readAnswer(await send({ transport: fetchTransport, base, token }, route, options), route.answer).data
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429 || attempt >= attempts) throw error
        await sleep(clock, Math.min(Math.max(error.retryAfterS ?? 1, 1) * 1000, longestWaitMs))
      }
    }
  }

  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the route's own schema
    call: exchange as Client['call'],
    as: (newToken) => createClient({ ...deps, token: newToken })
  }
}
