import { apiBasePath, internalOutboxPath, outboxMessage, type OutboxMessage, type Route } from '@batti/contracts'
import { sleep, type Timers } from '@batti/kit/clock'
import { isRecord } from '@batti/kit/json'
import { callJson, RefusedError } from './http-json.ts'

/** What the schema of a call's answer reads. */
type AnswerOf<R> = R extends { answer?: infer Schema }
  ? Schema extends { parse(data: unknown): infer Answer }
    ? Answer
    : undefined
  : undefined

export interface CallInput {
  token?: string
  params?: Record<string, string>
  body?: unknown
}

/** The product's own API, as any client sees it. */
export interface ProductApi {
  /** @throws RefusedError when the product refuses. */
  call<R extends Route>(route: R, input?: CallInput): Promise<AnswerOf<R>>
  /** The newest message to `to` that `wanted` takes, waited for. @throws Error when none comes. */
  readOutbox<Found>(to: string, wanted: (message: OutboxMessage) => Found | null): Promise<Found>
  /** When the newest message to `to` was sent, 0 when there is none: an older one holds an older code. */
  newestMessageAt(to: string): Promise<number>
}

const mailWithinMs = 15_000
const attempts = 3

export interface ProductApiParts {
  base: string
  /** The api's internal address and its secret: codes are read there, for the outbox is closed to the network. */
  internal: { base: string; secret: string }
  clock: Timers
}

export function createProductApi({ base, internal, clock }: ProductApiParts): ProductApi {
  async function call<R extends Route>(route: R, input: CallInput = {}): Promise<AnswerOf<R>> {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(input.params?.[name] ?? '')
    )
    const body = route.multipart === undefined ? input.body : formOf(input.body)
    const answer = await patiently(() =>
      callJson({
        url: `${base}${apiBasePath}${path}`,
        method: methods[route.method],
        ...(input.token === undefined ? {} : { token: input.token }),
        ...(body === undefined ? {} : { body })
      })
    )
    const data = isRecord(answer) ? answer['data'] : undefined
    // The schema of the call is what its answer is parsed by, so its type is the answer's.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (route.answer === undefined ? undefined : route.answer.parse(data)) as AnswerOf<R>
  }

  /** Refused for being too fast is no failure, when the server says how long. */
  async function patiently(attempt: () => Promise<unknown>): Promise<unknown> {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof RefusedError) || error.status !== 429 || count >= attempts) throw error
        await sleep(clock, Math.min(Math.max(error.retryAfterMs, 1000), 70_000))
      }
    }
  }

  async function messagesTo(to: string): Promise<OutboxMessage[]> {
    const url = `${internal.base}${internalOutboxPath}?to=${encodeURIComponent(to)}`
    return outboxMessage.array().parse(await callJson({ url, token: internal.secret }))
  }

  return {
    call,
    newestMessageAt: async (to) => (await messagesTo(to))[0]?.at ?? 0,
    async readOutbox(to, wanted) {
      const deadline = clock.monotonic() + mailWithinMs
      for (;;) {
        for (const message of await messagesTo(to)) {
          const found = wanted(message)
          if (found !== null) return found
        }
        if (clock.monotonic() > deadline) throw new Error(`No message for ${to} came into the outbox.`)
        await sleep(clock, 100)
      }
    }
  }
}

const methods = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const

function formOf(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(isRecord(body) ? body : {})) form.set(name, String(value))
  return form
}

/** The six digits of a mailed code. */
export const codeIn = ({ text }: OutboxMessage): string | null => /\b(\d{6})\b/.exec(text)?.[1] ?? null

/** The token of a link that sets a password. */
export const resetTokenIn = ({ text }: OutboxMessage): string | null =>
  /(?:reset|forgot)-password\?token=([\w.~%-]+)/.exec(text)?.[1] ?? null
