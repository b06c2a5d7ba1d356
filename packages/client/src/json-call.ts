import { readJson } from './answer.ts'
import { fetchTransport } from './transport.ts'

export interface JsonCall {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Sent as a bearer token. */
  token?: string
  body?: unknown
  timeoutMs?: number
}

/** Makes a call that no route describes, such as the outbox's, and returns the JSON of its body. @throws ApiError. */
export async function callJson(url: string, call: JsonCall = {}): Promise<unknown> {
  const { method = 'GET', token, body, timeoutMs = 20_000 } = call
  const answer = await fetchTransport({
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs)
  })
  return readJson(answer)
}
