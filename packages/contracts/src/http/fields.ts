import { z } from 'zod'
import { countryCodeList, listLimitMax, passwordMaxLength, passwordMinLength } from '../constants.ts'
import { hasControlCharacters } from '../control-characters.ts'
import { latinDigits } from '../digits.ts'
import { objectId } from '../ids.ts'

/** What nobody sees: zero-width spaces and the marks of direction that stand around copied text. */
const unseenMarks = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** These, and white space. */
const unseen = new RegExp(`\\s|${unseenMarks.source}`)

/** Not by one pattern for both ends: that takes the square of the time on a long run of spaces. */
function trimUnseen(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && unseen.test(text.charAt(from))) from += 1
  while (from < to && unseen.test(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

/** One line of text that people typed: trimmed; control characters are refused rather than stripped. */
export const lineText = (maxLength: number, missing?: string) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : undefined) })
    .overwrite(trimUnseen)
    .max(maxLength, `must be at most ${maxLength} characters`)
    .refine((value) => !hasControlCharacters(value), 'must not contain line breaks or control characters')

/** A line that must be given and not be empty; `message` is what people read. */
export const requiredLine = (maxLength: number, message = 'is required') => lineText(maxLength, message).min(1, message)

const isHost = (text: string): boolean => z.union([z.hostname(), z.ipv4(), z.ipv6()]).safeParse(text).success

/** A server as boards are told of it: its name or address alone, since the port is a field of its own; '' for none. */
export const hostText = lineText(253).refine(
  (host) => host === '' || isHost(host),
  'must be a host name or address alone, such as batti.local or 192.168.1.20'
)

/** The specification's simple e-mail shape. What nobody sees is left out: the owner types the address without it. */
export const emailAddress = z
  .string()
  .overwrite((text) => trimUnseen(text).replace(unseenMarks, ''))
  .max(254, 'must be at most 254 characters')
  .regex(
    /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\]+$/,
    'Please enter an email such as sita@example.com.'
  )

/** A password that is being set: sign-up, reset, change. Login takes six characters. */
export const newPassword = z
  .string()
  .min(passwordMinLength, `Password must be at least ${passwordMinLength} characters.`)
  .max(passwordMaxLength, `Password must be at most ${passwordMaxLength} characters.`)

/** A one-time code as people type it: spaces and dashes between the digits are forgiven. */
export const oneTimeCode = z
  .string()
  .overwrite((value) => latinDigits(value).replace(/[\s-]/g, ''))
  .min(1, 'is required')
  .max(16, 'must be the 6 digits of the code')

export const countryCode = z.enum(countryCodeList)

/** Of screens, mails and text messages. */
export const languages = ['en', 'ne'] as const

/** Digits of a phone number as people type them: spaces, dashes and brackets are forgiven. */
export const phoneText = (pattern: RegExp, message: string) =>
  z
    .string()
    .overwrite((value) => latinDigits(value).replace(/[\s()-]/g, ''))
    .regex(pattern, message)

const wholeText = /^\s*-?\d+\s*$/
const readWhole = (value: unknown): unknown =>
  typeof value === 'string' && wholeText.test(value) ? Number(value) : value

const whole = z.int({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a whole number') })

/**
 * A whole number, as JSON or as the text that queries, paths and forms carry. Not `z.coerce.number()`: that takes
 * `null`, `''`, `[]` and `true` for numbers, and a missing switch index would silently be switch 0.
 */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(readWhole, whole.min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

/** Whether a radio takes it: a Wi-Fi name has at most 32 bytes. */
export const isWifiName = (name: string): boolean => new TextEncoder().encode(name).length <= 32

/** In a query: one of these, or several with commas between them. */
export const commaList = <const Values extends readonly string[]>(values: Values) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values, `must be one or more of ${values.join(', ')}, with commas between them`)))

/** Index of an outlet on its board. */
export const outletIndexText = wholeNumber(0, 63)
export const portNumber = wholeNumber(1, 65535)

export const idParams = z.object({ id: objectId })

/** What a list is searched or filtered for. A database takes no NUL in a pattern. */
export const searchText = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `must be at most ${maxLength} characters`)
    .refine((text) => !text.includes('\u0000'), 'must not contain control characters')

/** What people type or paste to find something by: it is often copied, with the marks that stand around it there. */
export const searchTerm = (maxLength: number) => searchText(maxLength).overwrite(trimUnseen)

const clampLimit = (value: unknown): unknown =>
  typeof value === 'number' ? Math.min(Math.max(value, 1), listLimitMax) : value

/** `page` from 1 and `limit` clamped to 1..500; both optional. Other values answer 400 naming the field. */
export const pageQuery = z.object({
  page: wholeNumber(1, 1_000_000).optional(),
  limit: z.preprocess((value) => clampLimit(readWhole(value)), whole).optional(),
  search: searchTerm(200).optional()
})
export type PageQuery = z.infer<typeof pageQuery> & { sort?: string | undefined }

/** The query of a list that sorts by these columns; a leading minus turns the order round. Ties are sorted by `_id`. */
export const sortedQuery = <const Column extends string>(columns: readonly Column[]) =>
  pageQuery.extend({
    sort: z
      .enum(
        [...columns, ...columns.map((column) => `-${column}` as const)],
        `must be one of ${columns.join(', ')}, with a leading minus for the other direction`
      )
      .optional()
  })

/** A yes or no in a query. */
export const flagText = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')
/** An instant in a query: ISO 8601 with its zone. */
export const instantText = z.iso.datetime({
  offset: true,
  error: 'must be an instant such as 2026-11-22T06:00:00Z'
})

/** What every list carries beside its rows. */
export const pageInfo = {
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  totalPages: z.int(),
  /** There are more than `total`: no search is counted further. */
  isTotalCapped: z.literal(true).optional()
}
export interface PageInfo {
  total: number
  page: number
  limit: number
  totalPages: number
  isTotalCapped?: true | undefined
}

/** A record's date in an answer. */
export const isoDate = z.string().meta({ format: 'date-time' })
