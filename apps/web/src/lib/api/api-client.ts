import { readAnswer, readJson, type Envelope } from '@batti/client/answer'
import { ApiError } from '@batti/client/api-error'
import type { AnswerOf, CallableRoute, CallOptions, OptionsOf } from '@batti/client/request'
import { send } from '@batti/client/send'
import type { Transport } from '@batti/client/transport'
import { isErrorCode } from '@batti/contracts'
import type { ServerWords } from '#web/lib/i18n/server-words.ts'

/** What the client needs of the session: a valid token, and a place to report a 401. */
export interface Authority {
  /**
   * Returns the token to send, or null when nobody is signed in. Renews an expired one.
   * @throws CancelledError when that is impossible; the session is over by then.
   */
  authorize: () => Promise<string | null>
  /** Returns the stored token if it is still valid, without renewal: for calls that need no login. */
  currentToken: () => string | null
  /** Handles a 401 on a call with this token. Returns whether another token can be tried; on `second` the session ends. */
  rejected: (token: string, attempt: 'first' | 'second') => Promise<boolean>
}

export interface ApiClient {
  /** Sends a call and returns its `data`. @throws ApiError, or CancelledError when nothing is to be shown. */
  call: <R extends CallableRoute>(route: R, ...options: OptionsOf<R>) => Promise<AnswerOf<R>>
  /** Returns the whole envelope, for screens that show the server's message or read fields beside `data`. */
  callEnvelope: <R extends CallableRoute>(route: R, ...options: OptionsOf<R>) => Promise<Envelope<AnswerOf<R>>>
  /** Returns a list as CSV: all rows of the query, whatever its page. */
  csv: <R extends CallableRoute>(route: R, ...options: OptionsOf<R>) => Promise<string>
}

export interface ApiClientDeps {
  transport: Transport
  authority: Authority
  /** Called on any 403: shows the specified alert. */
  onForbidden: () => void
  /** Translates the server's messages; without it they are shown as they are. */
  words?: ServerWords
}

/** Creates a typed client for the contracts' route descriptors. */
export function createApiClient({ transport, authority, onForbidden, words }: ApiClientDeps): ApiClient {
  /** Sends the call, and repeats it once with another token after a 401. */
  async function answerOf(
    route: CallableRoute,
    options: CallOptions<CallableRoute>,
    accept: 'application/json' | 'text/csv' = 'application/json'
  ) {
    const isPublic = route.access.kind === 'public'
    const token = isPublic ? authority.currentToken() : await authority.authorize()
    let answer = await send({ transport, base: '', token, accept }, route, options)
    if (answer.status === 401 && token !== null && !isPublic && (await authority.rejected(token, 'first'))) {
      const renewed = await authority.authorize()
      answer = await send({ transport, base: '', token: renewed, accept }, route, options)
      if (answer.status === 401 && renewed !== null) await authority.rejected(renewed, 'second')
    }
    return answer
  }

  function withShownMessage<Result>(read: () => Result): Result {
    try {
      return read()
    } catch (error) {
      if (error instanceof ApiError) {
        const { code } = error
        if (words !== undefined && error.status > 0 && isErrorCode(code)) {
          error.shown = words(error.message, code)
          error.errors = error.errors.map((fault) => ({ ...fault, message: words(fault.message, code) }))
        }
        if (error.status === 403) onForbidden()
      }
      throw error
    }
  }
  async function exchange(route: CallableRoute, options: CallOptions<CallableRoute>): Promise<Envelope<unknown>> {
    const answer = await answerOf(route, options)
    return withShownMessage(() => readAnswer(answer, route.answer))
  }

  // The one place where the descriptor's types and the parsed value meet: `readAnswer` has parsed by `route.answer`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the route's own schema
  const callEnvelope = (async (route: CallableRoute, options: CallOptions<CallableRoute> = {}) =>
    exchange(route, options)) as ApiClient['callEnvelope']
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the route's own schema
  const call = (async (route: CallableRoute, options: CallOptions<CallableRoute> = {}) =>
    (await exchange(route, options)).data) as ApiClient['call']
  const csv = async (route: CallableRoute, options: CallOptions<CallableRoute> = {}) => {
    const answer = await answerOf(route, options, 'text/csv')
    return withShownMessage(() => {
      // A refusal has the usual JSON envelope; `readJson` throws its error.
      if (answer.status >= 400) readJson(answer)
      return answer.text
    })
  }
  return { call, callEnvelope, csv }
}
