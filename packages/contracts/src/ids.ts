import { z } from 'zod'

/** A MongoDB ObjectId as text: 24 hexadecimal digits, lower case. Source: `_id` of every record in the specification. */
export const objectId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/, 'must be an id of 24 hexadecimal digits')
  .transform((value) => value.toLowerCase())

/** The twelve hexadecimal digits of a MAC in any usual spelling, or null when `text` is not a MAC. */
function macDigits(text: string): string | null {
  const trimmed = text.trim()
  const isUsualSpelling =
    /^[0-9a-f]{12}$/i.test(trimmed) ||
    /^[0-9a-f]{2}([:-])([0-9a-f]{2}\1){4}[0-9a-f]{2}$/i.test(trimmed) ||
    /^[0-9a-f]{4}(\.[0-9a-f]{4}){2}$/i.test(trimmed)
  return isUsualSpelling ? trimmed.replace(/[^0-9a-f]/gi, '').toUpperCase() : null
}

/**
 * A MAC in the canonical spelling, upper case with colons (`34:98:7A:0C:51:E2`).
 * Colons, dashes, Cisco dots and no separator at all are accepted; anything else answers null.
 */
export function canonicalMac(text: string): string | null {
  const digits = macDigits(text)
  return digits === null ? null : (digits.match(/../g) ?? []).join(':')
}

/** Parses any usual spelling of a MAC to the canonical one. */
export const deviceMac = z.string().transform((value, context) => {
  const mac = canonicalMac(value)
  if (mac !== null) return mac
  context.addIssue({ code: 'custom', message: 'must be a MAC address such as 34:98:7A:0C:51:E2' })
  return z.NEVER
})

/** New at each power-up of a board: 8 to 32 characters that are safe in a topic, a log and an index. */
export const bootId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,32}$/, 'must be 8 to 32 letters, digits, dashes or underscores')

/** Counts the reports of one boot, from 1. */
export const reportSeq = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

/** Id of a command, chosen by the server. */
export const commandId = z.string().min(1).max(64)

/** Milliseconds since the epoch, UTC. */
export const epochMs = z.int().min(0)
