import { z } from 'zod'
import { wholeNumber } from './http/fields.ts'

/** What a server can listen on: a host without a port, IPv6 without brackets. */
export const listenHost = z
  .string()
  .regex(
    /^(?:[^\s:/@[\]]+|(?=.*:.*:)[\da-f:.]+(?:%\w+)?)$/i,
    'must be a name or an address alone, for example 127.0.0.1 or ::'
  )
/** 0 lets the system choose. */
export const listenPort = wholeNumber(0, 65_535)
/** The parts of a text between commas, without blanks around them. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
/** Separated by commas. */
export const list = z.string().transform(listOf)
/** One or several addresses of the same service. */
export const httpUrls = (fault: string) =>
  list.refine(
    (urls) => urls.length > 0 && urls.every((url) => z.url({ protocol: /^https?$/ }).safeParse(url).success),
    fault
  )
/** One of these words. */
export const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`)
export const logLevel = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')

/** Whether a secret has enough distinct characters, or bytes, to be random. */
export const isVaried = (secret: Iterable<unknown>): boolean => new Set(secret).size >= 8
/** Secrets as public documentation shows them. */
const knownSecret = /^(secret|password|default|thingsboard|test)|change.?me|(secret|default).?secret|example/i
export const secret = z
  .string('is missing: set it to at least 32 random characters, for example `openssl rand -base64 48`')
  .min(32, { error: 'is too short: set it to at least 32 random characters', abort: true })
  .refine((text) => !knownSecret.test(text), 'is a well-known value: set it to random characters')
  .refine(isVaried, 'repeats a few characters: set it to random ones')
