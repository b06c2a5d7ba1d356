import { createHmac, hkdfSync } from 'node:crypto'

const keyPurposes = ['one-time-codes', 'refresh-tokens', 'limit-keys', 'file-links'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

/** Keyed digests under keys derived from one secret: a leak of the database alone reveals none of them. */
export interface ServerKeys {
  /** Returns the HMAC-SHA256 of `text` under today's key of `purpose`. */
  digest(purpose: KeyPurpose, text: string): Buffer
  /** Returns the digests under today's key and the one before, newest first: those from before a rotation stay valid. */
  digests(purpose: KeyPurpose, text: string): Buffer[]
}

/** `secret` has at least 32 characters; each purpose gets its own key (HKDF, RFC 5869). */
export function createServerKeys(secret: string, previousSecret?: string): ServerKeys {
  const derive = (from: string) =>
    new Map(keyPurposes.map((purpose) => [purpose, Buffer.from(hkdfSync('sha256', from, '', `batti/${purpose}`, 32))]))
  const current = derive(secret)
  const all = previousSecret === undefined ? [current] : [current, derive(previousSecret)]
  const under = (keys: Map<KeyPurpose, Buffer>, purpose: KeyPurpose, text: string) =>
    createHmac('sha256', keys.get(purpose) ?? '')
      .update(text)
      .digest()
  return {
    digest: (purpose, text) => under(current, purpose, text),
    digests: (purpose, text) => all.map((keys) => under(keys, purpose, text))
  }
}
