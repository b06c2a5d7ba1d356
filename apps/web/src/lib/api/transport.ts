import { fetchTransport, type Transport } from '@batti/client/transport'

/** An upload that somebody watches has code of its own, which a first page need not carry. */
export const browserTransport: Transport = async (request) =>
  request.onUploadProgress ? (await import('./upload.ts')).upload(request) : fetchTransport(request)
