import { CancelledError } from '@batti/client/api-error'
import { networkError, type Transport } from '@batti/client/transport'

/** Uses `XMLHttpRequest`, because `fetch` cannot report upload progress. */
export const upload: Transport = ({ method, url, headers, body, signal, onUploadProgress }) =>
  new Promise((resolve, reject) => {
    // This code is loaded after the press that uploads, so a cancel can come first.
    if (signal?.aborted) return reject(new CancelledError())
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
