import { readAnswer, readJson, type Envelope } from '@batti/client/answer'
import { ApiError } from '@batti/client/api-error'
import type { AnswerOf, CallableRoute, CallOptions, OptionsOf } from '@batti/client/request'
import { send } from '@batti/client/send'
import type { Transport } from '@batti/client/transport'
import { isErrorCode } from '@batti/contracts'
import type { ServerWords } from '#web/lib/i18n/server-words.ts'

/** What the client needs of the session: a token fit for the call, and to be told when the server says no. */
export interface Authority {
  /**
   * The token to send, or null when nobody is signed in. Renews one that has run out;
   * throws `CancelledError` when that is impossible (the session is over by then).
   */
  authorize: () => Promise<string | null>
  /** A stored token that is still good, without renewing: for calls that need none. */
  currentToken: () => string | null
  /** 401 on a call that carried this token. Answers whether another token is there to try with; `second` ends the session. */
  rejected: (token: string, attempt: 'first' | 'second') => Promise<boolean>
}

export interface ApiClient {
  /** Sends a call and answers its `data`. Throws `ApiError`, or `CancelledError` for what passes silently. */
  call: <R extends CallableRoute>(route: R, ...options: OptionsOf<R>) => Promise<AnswerOf<R>>
  /** The same, with the envelope: for screens that show the server's message, or read fields beside `data`. */
  callEnvelope: <R extends CallableRoute>(route: R, ...options: OptionsOf<R>) => Promise<Envelope<AnswerOf<R>>>
  /** A list as a table of comma-separated values: all rows of the query, whatever its page. */
  csv: <R extends CallableRoute>(route: R, ...options: OptionsOf<R>) => Promise<string>
}

export interface ApiClientDeps {
  transport: Transport
  authority: Authority
  /** Any 403: the specified alert. */
  onForbidden: () => void
  /** How a sentence of the server's is shown; as it stands, where nothing else is said. */
  words?: ServerWords
}

/** A typed client over the contracts' route descriptors. */
export function createApiClient({ transport, authority, onForbidden, words }: ApiClientDeps): ApiClient {
  /** Sends the call, once more with another token where the first was refused. */
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

  function tellingRefusals<Result>(read: () => Result): Result {
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
    return tellingRefusals(() => readAnswer(answer, route.answer))
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
    return tellingRefusals(() => {
      // A refusal is the envelope as everywhere: reading it throws what it says.
      if (answer.status >= 400) readJson(answer)
      return answer.text
    })
  }
  return { call, callEnvelope, csv }
}
