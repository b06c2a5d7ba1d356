import { z } from 'zod'
import { countryCodeList, listLimitMax, passwordMaxLength, passwordMinLength } from '../constants.ts'
import { hasControlCharacters } from '../control-characters.ts'
import { latinDigits } from '../digits.ts'
import { objectId } from '../ids.ts'
import { normalize } from '../normalize.ts'

/** Invisible characters: zero-width spaces, and direction marks around copied text. */
const unseenMarks = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** The same and white space. */
const unseen = new RegExp(`\\s|${unseenMarks.source}`)

/** Avoids one pattern for both ends, which takes quadratic time on a long run of spaces. */
function trimUnseen(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && unseen.test(text.charAt(from))) from += 1
  while (from < to && unseen.test(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

/** A letter with its accent has two spellings that look alike: stored and searched for is the one that keyboards type. */
const oneSpelling = (text: string): string => normalize(trimUnseen(text), 'NFC')

const line = (clean: (text: string) => string, maxLength: number, missing?: string) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : undefined) })
    .overwrite(clean)
    .max(maxLength, `must be at most ${maxLength} characters`)
    .refine((value) => !hasControlCharacters(value), 'must not contain line breaks or control characters')

/** One line of text that people typed: trimmed; control characters are refused rather than stripped. */
export const lineText = (maxLength: number, missing?: string) => line(oneSpelling, maxLength, missing)

/** The same, letter for letter: for what another machine compares by its bytes. */
export const lineAsTyped = (maxLength: number) => line(trimUnseen, maxLength)

/** Blank letters, such as the Hangul filler and the empty Braille cell, are neither white space nor marks. */
const seen = /[^\s\p{DI}\u2800]/u

/** A required line in which something is to be seen; `message` is shown to people. */
export const requiredLine = (maxLength: number, message = 'is required') =>
  lineText(maxLength, message)
    .min(1, { error: message, abort: true })
    .refine((text) => seen.test(text), message)

const isHost = (text: string): boolean => z.union([z.hostname(), z.ipv4(), z.ipv6()]).safeParse(text).success

/** A server for boards: only a host name or address, because the port is a field of its own; '' for none. */
export const hostText = lineText(253).refine(
  (host) => host === '' || isHost(host),
  'must be a host name or address alone, such as batti.local or 192.168.1.20'
)

const emailExample = 'Please enter an email such as sita@example.com.'
/** The specification's simple e-mail shape, without invisible characters: the owner later types the address without them. */
export const emailAddress = z
  .string()
  .overwrite((text) => trimUnseen(text).replace(unseenMarks, ''))
  // The pattern takes quadratic time on a long text of dots.
  .max(254, { error: 'must be at most 254 characters', abort: true })
  // oxlint-disable-next-line eslint/no-useless-escape -- other languages read a bare [ as a class within the class
  .regex(/^[^\s@<>,;:"()\[\]\\]+@[^\s@<>,;:"()\[\]\\]+\.[^\s@<>,;:"()\[\]\\]+$/, emailExample)
  .refine((text) => !hasControlCharacters(text), emailExample)

/** A new password, for sign-up, reset and change. Login accepts six characters. */
export const newPassword = z
  .string()
  .min(passwordMinLength, `Password must be at least ${passwordMinLength} characters.`)
  .max(passwordMaxLength, `Password must be at most ${passwordMaxLength} characters.`)

/** A one-time code as people type it: spaces and dashes between the digits are ignored. */
export const oneTimeCode = z
  .string()
  .overwrite((value) => latinDigits(value).replace(/[\s-]/g, ''))
  .min(1, 'is required')
  .max(16, 'must be the 6 digits of the code')

export const countryCode = z.enum(countryCodeList)

/** Languages of screens, mails and text messages. */
export const languages = ['en', 'ne'] as const

/** A phone number as people type it: spaces, dashes and brackets are ignored. */
export const phoneText = (pattern: RegExp, message: string) =>
  z
    .string()
    .overwrite((value) => latinDigits(value).replace(/[\s()-]/g, ''))
    .regex(pattern, message)

const wholeText = /^\s*-?\d+\s*$/
/** Digits beyond what a number holds are out of every range, but whole. */
function readWhole(value: unknown): unknown {
  const text = typeof value === 'string' ? latinDigits(value) : ''
  return wholeText.test(text)
    ? Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))
    : value
}

const whole = z.int({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a whole number') })

/**
 * A whole number, as JSON or as the text of queries, paths and forms. Not `z.coerce.number()`: that accepts `null`, `''`,
 * `[]` and `true` as numbers, and a missing switch index would silently become switch 0.
 */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(readWhole, whole.min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

/** Whether a Wi-Fi name fits the limit of 32 bytes. */
export const isWifiName = (name: string): boolean => new TextEncoder().encode(name).length <= 32

/** In a query: one of the values, or several separated by commas. */
export const commaList = <const Values extends readonly string[]>(values: Values) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values, `must be one or more of ${values.join(', ')}, with commas between them`)))

/** Index of an outlet on its board. */
export const outletIndexText = wholeNumber(0, 63)
export const portNumber = wholeNumber(1, 65535)

export const idParams = z.object({ id: objectId })

/** A search or filter text. The database accepts no NUL in a pattern. */
export const searchText = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `must be at most ${maxLength} characters`)
    .refine((text) => !text.includes('\u0000'), 'must not contain control characters')

/** A search text that people type or paste. Copied text may carry invisible characters around it. */
export const searchTerm = searchText(200).overwrite(oneSpelling)

const clampLimit = (value: unknown): unknown =>
  typeof value === 'number' ? Math.min(Math.max(value, 1), listLimitMax) : value

/** `page` from 1, and `limit` clamped to 1..500; both optional. Other values are answered with 400, naming the field. */
export const pageQuery = z.object({
  page: wholeNumber(1, 1_000_000).optional(),
  limit: z.preprocess((value) => clampLimit(readWhole(value)), whole).optional(),
  search: searchTerm.optional()
})
export type PageQuery = z.infer<typeof pageQuery> & { sort?: string | undefined }

/** The query of a list that can be sorted by these columns; a leading minus reverses the order. Ties are sorted by `_id`. */
export const sortedQuery = <const Column extends string>(columns: readonly Column[]) =>
  pageQuery.extend({
    sort: z
      .enum(
        [...columns, ...columns.map((column) => `-${column}` as const)],
        `must be one of ${columns.join(', ')}, with a leading minus for the other direction`
      )
      .optional()
  })

/** A boolean in a query. */
export const flagText = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')
/** An instant in a query: ISO 8601 with a time zone. */
export const instantText = z.iso.datetime({
  offset: true,
  error: 'must be an instant such as 2026-11-22T06:00:00Z'
})

/** The fields that every list has beside its rows. */
export const pageInfo = {
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  totalPages: z.int(),
  /** Set if there are more than `total`: a search is not counted beyond that. */
  isTotalCapped: z.literal(true).optional()
}
export interface PageInfo {
  total: number
  page: number
  limit: number
  totalPages: number
  isTotalCapped?: true | undefined
}

/** A date in an answer. */
export const isoDate = z.string().meta({ format: 'date-time' })
