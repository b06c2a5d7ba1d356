import { CancelledError } from '@batti/client/api-error'
import {
  fetchTransport,
  networkError,
  type HttpAnswer,
  type HttpRequest,
  type Transport
} from '@batti/client/transport'

/** `XMLHttpRequest` where somebody watches an upload: `fetch` cannot tell its progress. */
export const browserTransport: Transport = (request) =>
  request.onUploadProgress ? upload(request) : fetchTransport(request)

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
