import { deviceCredentials, type DeviceAuthRequest, type DeviceCredentials } from '@batti/contracts'
import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import { sendHttp } from './http-client.ts'
import { readText } from '../stream-bytes.ts'

export type AuthOutcome =
  | { readonly kind: 'paired'; readonly credentials: DeviceCredentials }
  /** The server refused this board with this code: a retry is useless. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** No answer, or a temporary failure. `waitMs` is the delay that the server asked for, or null. */
  | { readonly kind: 'failed'; readonly detail: string; readonly waitMs: number | null }

const answerMaxBytes = 64 * 1024
const timeoutMs = 10_000

const accepted = z.object({ data: deviceCredentials })
const refusal = z.object({ code: z.string().catch(''), message: z.string().catch('') })

/** Introduces a board to the server: `POST /device-auth` once. Never throws. */
export async function authenticate(url: URL, body: DeviceAuthRequest, signal?: AbortSignal): Promise<AuthOutcome> {
  try {
    const answer = await sendHttp({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      timeoutMs,
      ...(signal === undefined ? {} : { signal })
    })
    const text = await readText(answer, answerMaxBytes)
    return judge(answer.statusCode ?? 0, text ?? '', answer.headers['retry-after'])
  } catch (error) {
    return { kind: 'failed', detail: `The server at ${url.host} did not answer: ${reason(error)}.`, waitMs: null }
  }
}

function judge(status: number, text: string, retryAfter: string | undefined): AuthOutcome {
  const body = parseJson(text)
  if (status === 200 || status === 201) {
    const answer = accepted.safeParse(body)
    if (answer.success) return { kind: 'paired', credentials: answer.data.data }
    return {
      kind: 'failed',
      detail: 'The server answered something that this board does not understand.',
      waitMs: null
    }
  }
  const { code, message } = refusal.catch({ code: '', message: '' }).parse(body)
  const detail = message || `The server answered ${status}.`
  if (code === 'DEVICE_REFUSED') return { kind: 'refused', detail }
  const seconds = Number(retryAfter)
  return { kind: 'failed', detail, waitMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null }
}

const sentences: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'nobody knows that name',
  EAI_AGAIN: 'names cannot be looked up just now',
  EHOSTUNREACH: 'there is no way to it',
  ECONNRESET: 'it hung up'
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return sentences[code] ?? (error.message || error.name)
}
