import { ApiError, CancelledError } from './api-error.ts'

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | FormData | null
  signal?: AbortSignal
  onUploadProgress?: (fraction: number) => void
}
export interface HttpAnswer {
  status: number
  text: string
  retryAfter: string | null
}
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>

export const networkError = (cause: unknown): ApiError =>
  new ApiError('NETWORK', 'The server cannot be reached. Check your connection and try again.', { cause })

/** Carries a call by `fetch`; a browser sends its cookies. It cannot tell the progress of an upload. */
export const fetchTransport: Transport = async ({ method, url, headers, body, signal }) => {
  try {
    const init: RequestInit = { method: method.toUpperCase(), headers, body, credentials: 'include' }
    if (signal) init.signal = signal
    const answer = await fetch(url, init)
    return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') }
  } catch (error) {
    if (signal?.aborted) throw new CancelledError()
    throw networkError(error)
  }
}
