import { ApiError } from '@batti/client/api-error'
import { fetchTransport, type Transport } from '@batti/client/transport'
import { repeatHeader } from '@batti/contracts'

/** The code for upload progress is loaded on demand, as a first page does not need it. */
export const browserTransport: Transport = async (request) =>
  request.onUploadProgress ? (await import('./upload.ts')).upload(request) : fetchTransport(request)

const isBroken = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'NETWORK'

/**
 * Asks once more if the answer to a change was lost: done twice, all but a POST have the effect of one, and a POST is not done
 * twice. No file is sent again. The second answer tells nothing if it is 401, as the first may have ended the session (a new
 * password does), or if the server does not know the POST.
 */
export function askAgain(transport: Transport): Transport {
  return async (request) => {
    const { method, headers } = request
    try {
      return await transport(request)
    } catch (error) {
      const isRepeatable = method !== 'get' && request.onUploadProgress === undefined
      if (!isRepeatable || !isBroken(error)) throw error
      const again = await transport({ ...request, headers: { ...headers, [repeatHeader]: '1' } })
      if (again.status === 401 || (method === 'post' && again.status > 501)) throw error
      return again
    }
  }
}

/**
 * Tells `UNSENT` from `NETWORK`: a request that began without a network and failed without one never left the browser.
 */
export function noticeUnsent(transport: Transport, hasNetwork: () => boolean): Transport {
  return async (request) => {
    const mayLeave = hasNetwork()
    try {
      return await transport(request)
    } catch (error) {
      const isUnsent = isBroken(error) && !mayLeave && !hasNetwork()
      throw isUnsent ? new ApiError('UNSENT', error.message, { cause: error }) : error
    }
  }
}
