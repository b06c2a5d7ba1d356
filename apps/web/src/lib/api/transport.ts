import { ApiError } from '@batti/client/api-error'
import { fetchTransport, type Transport } from '@batti/client/transport'

/** The code for upload progress is loaded on demand, as a first page does not need it. */
export const browserTransport: Transport = async (request) =>
  request.onUploadProgress ? (await import('./upload.ts')).upload(request) : fetchTransport(request)

/**
 * Tells `UNSENT` from `NETWORK`: a request that began without a network and failed without one never left the browser.
 */
export function noticeUnsent(transport: Transport, hasNetwork: () => boolean): Transport {
  return async (request) => {
    const mayLeave = hasNetwork()
    try {
      return await transport(request)
    } catch (error) {
      const isUnsent = !mayLeave && !hasNetwork() && error instanceof ApiError && error.code === 'NETWORK'
      throw isUnsent ? new ApiError('UNSENT', error.message, { cause: error }) : error
    }
  }
}
