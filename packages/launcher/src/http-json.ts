import { isRecord, parseJson } from '@batti/kit/json'

/** An answer that was not a success. `message` is the server's own sentence where it had one. */
export class RefusedError extends Error {
  readonly status: number
  readonly retryAfterMs: number
  constructor(message: string, status: number, retryAfterMs: number) {
    super(message)
    this.name = 'RefusedError'
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

export interface JsonRequest {
  url: string
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  token?: string
  body?: unknown
}

const timeoutMs = 20_000

/** One call that answers JSON. @throws RefusedError for every status but 2xx. */
export async function callJson({ url, method = 'GET', token, body }: JsonRequest): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) })
  })
  const text = await answer.text()
  const parsed = parseJson(text)
  if (answer.ok) return parsed
  const said = isRecord(parsed) && typeof parsed['message'] === 'string' ? parsed['message'] : answer.statusText
  const faults = isRecord(parsed) && Array.isArray(parsed['errors']) ? ` ${JSON.stringify(parsed['errors'])}` : ''
  const path = new URL(url).pathname
  throw new RefusedError(
    `${method} ${path} answered ${answer.status}: ${said}${faults}`,
    answer.status,
    Number(answer.headers.get('retry-after') ?? 0) * 1000
  )
}
