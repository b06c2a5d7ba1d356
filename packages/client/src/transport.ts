import { ApiError, CancelledError } from './api-error.ts'

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | FormData | null
  signal?: AbortSignal
  onUploadProgress?: (fraction: number) => void
  /** Called when the answer's headers are here and its text is still arriving. */
  onAnswer?: () => void
  /** Called with the number of lines received so far while a long answer arrives. */
  onLines?: (lines: number) => void
}
export interface HttpAnswer {
  status: number
  text: string
  retryAfter: string | null
  /** The `Date` header: the server's time when it answered. */
  date?: string | null
}
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>

export const networkError = (cause: unknown): ApiError =>
  new ApiError('NETWORK', 'The server cannot be reached. Check your connection and try again.', { cause })

/** The call timed out. */
export const lateError = (cause?: unknown): ApiError =>
  new ApiError('LATE', 'The server did not answer in time.', { cause })

/** `AbortSignal.timeout` aborts with this reason. */
const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError'

/** Browsers let all requests that outlive their page have 64 KiB together, and fail those beyond. */
const isSmall = (body: HttpRequest['body']): boolean =>
  body === null || (typeof body === 'string' && body.length <= 1000)

/**
 * Sends a call by `fetch`; a browser includes its cookies, and sends a small change even if its page is left or reloaded
 * meanwhile. Upload progress is not supported.
 */
export const fetchTransport: Transport = async ({ method, url, headers, body, signal, onAnswer, onLines }) => {
  try {
    const keepalive = method !== 'get' && isSmall(body)
    const init: RequestInit = { method: method.toUpperCase(), headers, body, credentials: 'include', keepalive }
    if (signal) init.signal = signal
    const answer = await fetch(url, init)
    onAnswer?.()
    const text = onLines === undefined ? await answer.text() : await readLines(answer, onLines)
    const { headers: said } = answer
    return { status: answer.status, text, retryAfter: said.get('retry-after'), date: said.get('date') }
  } catch (error) {
    if (isTimeout(signal?.reason)) throw lateError(error)
    if (signal?.aborted) throw new CancelledError()
    throw networkError(error)
  }
}

async function readLines(answer: Response, onLines: (lines: number) => void): Promise<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return answer.text()
  const parts: string[] = []
  let lines = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    lines += part.value.split('\n').length - 1
    onLines(lines)
  }
  return parts.join('')
}
