import { apiBasePath } from '@batti/contracts'
import { parseJson } from '@batti/kit/json'
import { fetchTransport } from './transport.ts'

export interface RawCall {
  method?: string
  token?: string
  /** Text is sent as it stands. */
  body?: unknown
}

/** What a stranger sends: any path below the api's base, any body; the answer as it came, refused or not. */
export async function rawCall(
  base: string,
  path: string,
  { method = 'POST', token, body }: RawCall = {}
): Promise<{ status: number; body: unknown }> {
  const answer = await fetchTransport({
    method,
    url: `${base}${apiBasePath}${path}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  })
  return { status: answer.status, body: parseJson(answer.text) }
}
