import { createHash } from 'node:crypto'

// Crockford's alphabet: no I, L, O, U, so a code can be read out and typed.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeCharacters = 16

/** A pairing code of 80 bits, `K7QF-2M8X-T4ND-9WRB`, from ten random bytes. */
export function formatPairingCode(randomness: Buffer): string {
  let bits = 0n
  for (const byte of randomness.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte)
  let code = ''
  for (let index = codeCharacters - 1; index >= 0; index--) code += alphabet[Number((bits >> BigInt(index * 5)) & 31n)]
  return (code.match(/.{4}/g) ?? []).join('-')
}

/** Returns the hash that is stored and looked up. Dashes, spaces and case are ignored; look-alike characters are corrected. */
export function hashPairingCode(code: string): string {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return createHash('sha256').update(`pairing:${plain}`).digest('hex')
}

/** Parses `<userId>.<CODE>`, or a bare `<userId>` from firmware in the field; null for anything else. */
export function readClaimedUserId(text: string): { userId: string; code: string | null } | null {
  const match = /^([0-9a-f]{24})(?:\.(.{1,64}))?$/i.exec(text.trim())
  const userId = match?.[1]
  return userId === undefined ? null : { userId: userId.toLowerCase(), code: match?.[2] ?? null }
}
