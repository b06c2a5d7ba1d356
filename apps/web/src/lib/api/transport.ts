import { fetchTransport, type Transport } from '@batti/client/transport'

/** The code for upload progress is loaded on demand, as a first page does not need it. */
export const browserTransport: Transport = async (request) =>
  request.onUploadProgress ? (await import('./upload.ts')).upload(request) : fetchTransport(request)
