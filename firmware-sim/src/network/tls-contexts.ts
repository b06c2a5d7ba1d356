import { createSecureContext, type SecureContext } from 'node:tls'

/** Shares one parsed trust store between boards with the same CA: one per board would cost 100 KiB each. */
export type TlsContexts = (caPem: string) => SecureContext

export function createTlsContexts(): TlsContexts {
  const contexts = new Map<string, SecureContext>()
  return (caPem) => {
    const known = contexts.get(caPem)
    if (known !== undefined) return known
    const context = createSecureContext({ ca: caPem, minVersion: 'TLSv1.2' })
    contexts.set(caPem, context)
    return context
  }
}
