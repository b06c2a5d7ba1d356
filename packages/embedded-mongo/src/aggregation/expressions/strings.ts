import { Long } from 'bson'
import { typeName } from '../../bson/document.ts'
import { compareText } from '../../bson/compare.ts'
import { isNumeric, toNumber } from '../../bson/numbers.ts'
import { MongoError } from '../../errors.ts'
import { regexOf } from '../../query/regex.ts'
import { isoText } from './date-text.ts'
import type { OperatorCompiler } from './scope.ts'
import { bounds, isNullish, named, nullable, plain, requireNumber, requireString } from './operator-kit.ts'

/** Converts what text operators accept: texts, numbers and dates; null becomes the empty text. */
function coerce(name: string, value: unknown): string {
  if (isNullish(value)) return ''
  if (typeof value === 'string') return value
  if (isNumeric(value)) return value instanceof Long ? value.toString() : String(toNumber(value))
  if (value instanceof Date) return isoText(value)
  throw new MongoError(16007, `${name}: can't convert from BSON type ${typeName(value)} to String`)
}

/** `$toLower` and `$toUpper` change ASCII letters only. */
const ascii = (name: string, from: RegExp, change: (letter: string) => string): OperatorCompiler =>
  plain(name, 1, 1, ([value]) => coerce(name, value).replaceAll(from, change))

const asciiUpper = (text: string): string => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8')

const substring = (name: string): OperatorCompiler =>
  plain(name, 3, 3, ([text, start, length]) => {
    const bytes = bytesOf(coerce(name, text))
    const from = requireNumber(name, start, 16034)
    const count = requireNumber(name, length, 16035)
    if (from < 0) throw new MongoError(50752, `${name}: starting index must be non-negative (got: ${from})`)
    const cut = bytes.subarray(from, count < 0 ? bytes.length : from + count)
    const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
    if (isContinuation(cut[0]))
      throw new MongoError(28656, `${name}: Invalid range, starting index is a UTF-8 continuation byte.`)
    if (isContinuation(bytes[from + cut.length]))
      throw new MongoError(28657, `${name}: Invalid range, ending index is in the middle of a UTF-8 character.`)
    return cut.toString('utf8')
  })

const trim = (name: string, sides: 'both' | 'left' | 'right'): OperatorCompiler =>
  named(name, ['input'], ['chars'], ({ input, chars }) => {
    if (isNullish(input) || chars === null) return null
    const letters = Array.from(requireString(name, input, 50699))
    const set = chars === undefined ? null : new Set(requireString(name, chars, 50700))
    const gone = (letter: string | undefined): boolean =>
      letter !== undefined && (set ? set.has(letter) : /[\s\0]/.test(letter))
    let [start, end] = [0, letters.length]
    if (sides !== 'right') while (start < end && gone(letters[start])) start++
    if (sides !== 'left') while (end > start && gone(letters[end - 1])) end--
    return letters.slice(start, end).join('')
  })

const replace = (name: string, all: boolean): OperatorCompiler =>
  named(name, ['input', 'find', 'replacement'], [], ({ input, find, replacement }) => {
    if (isNullish(input) || isNullish(find) || isNullish(replacement)) return null
    const [text, what, by] = [
      requireString(name, input, 51746),
      requireString(name, find, 51745),
      requireString(name, replacement, 51744)
    ]
    return all ? text.split(what).join(by) : text.replace(what, () => by)
  })

function regexArguments(name: string, regex: unknown, options: unknown): RegExp {
  const pattern = regexOf(regex, typeof options === 'string' ? options : '')
  if (!pattern) throw new MongoError(51105, `${name} needs 'regex' to be of type string or regex`)
  return pattern
}

const matchDocument = (match: RegExpExecArray): unknown => ({
  match: match[0],
  idx: Array.from(match.input.slice(0, match.index)).length,
  captures: match.slice(1).map((capture) => capture ?? null)
})

const regexOperator = (
  name: string,
  run: (text: string, pattern: RegExp) => unknown,
  nothing: unknown
): OperatorCompiler =>
  named(name, ['input', 'regex'], ['options'], ({ input, regex, options }) => {
    if (isNullish(input) || isNullish(regex)) return nothing
    return run(requireString(name, input, 51104), regexArguments(name, regex, options))
  })

const positionIn = (
  name: string,
  units: (text: string) => ArrayLike<unknown>,
  offset: (text: string, at: number) => number
): OperatorCompiler =>
  plain(name, 2, 4, ([text, part, start, end]) => {
    if (isNullish(text)) return null
    const [whole, what] = [requireString(name, text, 40091), requireString(name, part, 40092)]
    const all = Array.from(units(whole))
    const [from, to] = bounds(name, start, end, all.length)
    if (from > to) return -1
    for (let at = whole.indexOf(what); at !== -1; at = whole.indexOf(what, at + 1)) {
      const index = offset(whole, at)
      if (index >= from && index + units(what).length <= to) return index
    }
    return -1
  })

/** Text expressions. */
export const textOperators: Readonly<Record<string, OperatorCompiler>> = {
  $concat: nullable('$concat', 0, Infinity, (values) =>
    values
      .map((value) => {
        if (typeof value !== 'string')
          throw new MongoError(16702, `$concat only supports strings, not ${typeName(value)}`)
        return value
      })
      .join('')
  ),
  $toLower: ascii('$toLower', /[A-Z]/g, (letter) => letter.toLowerCase()),
  $toUpper: ascii('$toUpper', /[a-z]/g, (letter) => letter.toUpperCase()),
  $split: nullable('$split', 2, 2, ([text, by]) => {
    const separator = requireString('$split', by, 40086)
    if (separator === '') throw new MongoError(40087, '$split requires a non-empty separator')
    return requireString('$split', text, 40085).split(separator)
  }),
  $strLenCP: plain('$strLenCP', 1, 1, ([text]) => Array.from(requireString('$strLenCP', text, 34471)).length),
  $strLenBytes: plain('$strLenBytes', 1, 1, ([text]) => bytesOf(requireString('$strLenBytes', text, 34473)).length),
  $strcasecmp: plain('$strcasecmp', 2, 2, ([a, b]) =>
    Math.sign(compareText(asciiUpper(coerce('$strcasecmp', a)), asciiUpper(coerce('$strcasecmp', b))))
  ),
  $substr: substring('$substr'),
  $substrBytes: substring('$substrBytes'),
  $substrCP: plain('$substrCP', 3, 3, ([text, start, length]) => {
    const from = requireNumber('$substrCP', start, 34450)
    const count = requireNumber('$substrCP', length, 34452)
    if (from < 0) throw new MongoError(34455, '$substrCP: the starting index must be a non-negative integer.')
    if (count < 0) throw new MongoError(34454, '$substrCP: length must be a nonnegative integer.')
    return Array.from(coerce('$substrCP', text))
      .slice(from, from + count)
      .join('')
  }),
  $indexOfCP: positionIn(
    '$indexOfCP',
    (text) => Array.from(text),
    (text, at) => Array.from(text.slice(0, at)).length
  ),
  $indexOfBytes: positionIn('$indexOfBytes', bytesOf, (text, at) => bytesOf(text.slice(0, at)).length),
  $trim: trim('$trim', 'both'),
  $ltrim: trim('$ltrim', 'left'),
  $rtrim: trim('$rtrim', 'right'),
  $replaceOne: replace('$replaceOne', false),
  $replaceAll: replace('$replaceAll', true),
  $regexMatch: regexOperator('$regexMatch', (text, pattern) => pattern.test(text), false),
  $regexFind: regexOperator(
    '$regexFind',
    (text, pattern) => {
      const match = pattern.exec(text)
      return match ? matchDocument(match) : null
    },
    null
  ),
  $regexFindAll: regexOperator(
    '$regexFindAll',
    (text, pattern) => [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].map(matchDocument),
    []
  )
}
