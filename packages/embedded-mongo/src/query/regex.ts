import { BSONRegExp } from 'bson'
import { badValue, MongoError } from '../errors.ts'
import { fromPcre } from './pcre.ts'

/** A leading `(?imsx)` of a PCRE pattern, which is converted to options because JavaScript does not support it. */
const LEADING = /^\(\?([imsxu]+)\)/

/** Removes the white space and comments that the `x` option allows in a pattern. */
function unspaced(source: string): string {
  let out = ''
  let inClass = false
  for (let i = 0; i < source.length; i++) {
    const char = source[i] ?? ''
    if (char === '\\') {
      out += char + (source[++i] ?? '')
    } else if (inClass || !/[\s#]/.test(char)) {
      if (char === '[') inClass = true
      if (char === ']') inClass = false
      out += char
    } else if (char === '#') {
      while (i < source.length && source[i] !== '\n') i++
    }
  }
  return out
}

/** Compiles a regular expression of MongoDB. Throws BadValue for options outside `imsxu`, 51091 for an invalid pattern. */
export function compileRegex(pattern: string, options: string): RegExp {
  let source = pattern
  let flags = options
  const leading = LEADING.exec(source)
  if (leading) {
    source = source.slice(leading[0].length)
    flags += leading[1] ?? ''
  }
  for (const flag of flags) {
    if (!'imsxu'.includes(flag)) throw badValue(`invalid flag in regex options: ${flag}`)
  }
  if (source.includes('\0')) throw badValue('Regular expression cannot contain an embedded null byte')
  if (flags.includes('x')) source = unspaced(source)
  const { text, unicode } = fromPcre(source, { lines: flags.includes('m'), dotAll: flags.includes('s') })
  const jsFlags = flags.includes('i') ? 'i' : ''
  try {
    return new RegExp(text, `${jsFlags}u`)
  } catch (refused) {
    try {
      if (unicode) throw refused
      return new RegExp(text, jsFlags)
    } catch (cause) {
      throw new MongoError(51091, `Regular expression is invalid: ${cause instanceof Error ? cause.message : ''}`, {
        cause
      })
    }
  }
}

export function regexOf(value: unknown, options: string): RegExp | null {
  if (value instanceof BSONRegExp) return compileRegex(value.pattern, options || value.options)
  if (typeof value === 'string') return compileRegex(value, options)
  return null
}

/**
 * Returns the text that every match of an anchored, case-sensitive pattern starts with, for an index range, and whether the
 * pattern consists only of that; null when there is none.
 */
export function regexPrefix(value: BSONRegExp): { prefix: string; exact: boolean } | null {
  if (/[imx]/.test(value.options) || !value.pattern.startsWith('^') || value.pattern.includes('|')) return null
  let prefix = ''
  let i = 1
  for (; i < value.pattern.length; i++) {
    const char = value.pattern[i] ?? ''
    const next = value.pattern[i + 1] ?? ''
    if (char === '\\' && /[^A-Za-z0-9]/.test(next)) {
      prefix += next
      i++
    } else if (/[\\^$.*+?()[\]{}]/.test(char)) {
      // A quantifier makes the last character optional.
      if (/[*?{]/.test(char)) prefix = Array.from(prefix).slice(0, -1).join('')
      return prefix === '' ? null : { prefix, exact: false }
    } else prefix += char
  }
  return prefix === '' ? null : { prefix, exact: true }
}
