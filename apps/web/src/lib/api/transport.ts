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

const networkError = (cause: unknown) =>
  new ApiError('NETWORK', 'The server cannot be reached. Check your connection and try again.', { cause })

/** `fetch`, or `XMLHttpRequest` where somebody watches an upload: `fetch` cannot tell its progress. Cookies are sent. */
export const browserTransport: Transport = (request) => (request.onUploadProgress ? upload(request) : download(request))

async function download({ method, url, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
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

function upload({ method, url, headers, body, signal, onUploadProgress }: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open(method.toUpperCase(), url)
    xhr.withCredentials = true
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onUploadProgress?.(event.loaded / event.total)
    })
    xhr.addEventListener('load', () =>
      resolve({ status: xhr.status, text: xhr.responseText, retryAfter: xhr.getResponseHeader('retry-after') })
    )
    xhr.addEventListener('error', () => reject(networkError(null)))
    xhr.addEventListener('abort', () => reject(new CancelledError()))
    signal?.addEventListener('abort', () => xhr.abort(), { once: true })
    xhr.send(body)
  })
}
