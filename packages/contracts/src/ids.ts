import { z } from 'zod'

/** A MongoDB ObjectId as text: 24 hexadecimal digits, lower case. The `_id` of every record. */
export const objectId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/, 'must be an id of 24 hexadecimal digits')
  .toLowerCase()
  .meta({ title: 'id' })

/** Twelve hexadecimal digits, bare or separated by colons, dashes or Cisco's dots, in any case. */
const usualMac =
  /^\s*(?:[0-9a-fA-F]{12}|[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}|[0-9a-fA-F]{2}(?:-[0-9a-fA-F]{2}){5}|[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2})\s*$/
/** As almost every message has it. */
const canonicalForm = /^[0-9A-F]{2}(?::[0-9A-F]{2}){5}$/

/**
 * Returns a MAC in canonical form, upper case with colons (`34:98:7A:0C:51:E2`).
 * Accepts colons, dashes, Cisco dots or no separator; returns null for anything else.
 */
export function canonicalMac(text: string): string | null {
  if (canonicalForm.test(text)) return text
  if (!usualMac.test(text)) return null
  const digits = text.replace(/[^0-9a-f]/gi, '').toUpperCase()
  return (digits.match(/../g) ?? []).join(':')
}

/** Parses any usual notation of a MAC into the canonical form. */
export const deviceMac = z
  .string()
  .regex(usualMac, 'must be a MAC address such as 34:98:7A:0C:51:E2')
  .overwrite((text) => canonicalMac(text) ?? text)
  .meta({ title: 'MAC' })

/** The MAC of a new board: memory without an address reads as all zeros, or as the broadcast address. */
export const boardMac = deviceMac.refine((mac) => !/^(?:00(?::00){5}|FF(?::FF){5})$/.test(mac), {
  message: "must be the board's own address, not all zeros and not all F"
})

const bootIdRule = 'must be 8 to 32 characters without control characters'
/** Changes at each power-up of a board: 8 to 32 characters of any script. A lone surrogate would not be stored unchanged. */
export const bootId = z
  .string()
  .regex(/^[^\n]{8,32}$/u, bootIdRule)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), bootIdRule)
  .meta({ title: 'boot id' })

/** Counts the reports of one boot, from 1. */
export const reportSeq = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

/** Id of a command, chosen by the server. */
export const commandId = z.string().min(1).max(64).meta({ title: 'command id' })

/** Milliseconds since the epoch, UTC. */
export const epochMs = z.int().min(0).meta({ title: 'ms since the epoch' })
