import { MongoError } from '../errors.ts'

/** A pattern in JavaScript's syntax. `unicode`: it requires the `u` flag. */
interface Translated {
  text: string
  unicode: boolean
}

const LINE_ENDS = String.raw`\n-\r\u0085\u2028\u2029`
const BLANKS = String.raw`\t \u00a0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000`
const SPACES = String.raw`\t-\r `

/** Translations of PCRE's escapes, inside and outside of a class. Other letters are shared with JavaScript, or refused. */
const IN_CLASS: Readonly<Record<string, string>> = {
  s: SPACES,
  h: BLANKS,
  v: LINE_ENDS,
  e: String.raw`\x1b`,
  a: String.raw`\x07`
}
const OUTSIDE: Readonly<Record<string, string>> = {
  s: `[${SPACES}]`,
  S: `[^${SPACES}]`,
  h: `[${BLANKS}]`,
  H: `[^${BLANKS}]`,
  v: `[${LINE_ENDS}]`,
  V: `[^${LINE_ENDS}]`,
  R: String.raw`(?:\r\n|[${LINE_ENDS}])`,
  N: String.raw`[^\n]`,
  e: String.raw`\x1b`,
  a: String.raw`\x07`,
  A: '^',
  z: '$',
  Z: String.raw`(?=\n?$)`
}
const SHARED_IN_CLASS = new Set('dDwWSbtnfrcux')
const SHARED_OUTSIDE = new Set('dDwWbBtnfrcuxk')

const POSIX: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\t `,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: String.raw`\x21-\x7e`,
  lower: 'a-z',
  print: String.raw`\x20-\x7e`,
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  space: SPACES,
  upper: 'A-Z',
  word: String.raw`\w`,
  xdigit: 'A-Fa-f0-9'
}

const refused = (what: string): MongoError =>
  new MongoError(51091, `Regular expression is invalid: ${what} is not supported`)

/** Translates `\p{Lu}`, `\p{^Lu}`, `\pL`, and scripts that are given only by name. */
function property(letter: string, name: string): string {
  const isNegated = name.startsWith('^')
  const bare = isNegated ? name.slice(1) : name
  const escape = (letter === 'p') === isNegated ? String.raw`\P` : String.raw`\p`
  for (const asked of [bare, `Script_Extensions=${bare}`]) {
    try {
      new RegExp(String.raw`\p{${asked}}`, 'u').test('')
      return `${escape}{${asked}}`
    } catch {
      // The name is not valid for this kind of property.
    }
  }
  throw refused(String.raw`\${letter}{${name}}`)
}

const quoted = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (char) => `\\${char}`)

/**
 * Translates PCRE syntax to JavaScript, for the flags `i` and `u` only. It expands `m` and `s`, because in PCRE lines end
 * only at `\n`. @throws MongoError 51091 for syntax that has a different meaning in JavaScript.
 */
export function fromPcre(source: string, options: { lines: boolean; dotAll: boolean }): Translated {
  const outside: Readonly<Record<string, string>> = {
    '.': options.dotAll ? '[^]' : String.raw`[^\n]`,
    '^': options.lines ? String.raw`(?<![^\n])` : '^',
    $: options.lines ? String.raw`(?![^\n])` : String.raw`(?=\n?$)`
  }
  let text = ''
  let unicode = false
  let inClass = false
  let at = 0
  /** Consumes the match of an expression at the present position. */
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at
    const found = expression.exec(source)
    if (found) at += found[0].length
    return found
  }
  while (at < source.length) {
    let found: RegExpExecArray | null
    if ((found = take(/\\Q([^]*?)(?:\\E|$)/y))) text += quoted(found[1] ?? '')
    else if ((found = take(/\\x\{([0-9A-Fa-f]+)\}/y))) {
      text += `\\u{${found[1] ?? ''}}`
      unicode = true
    } else if ((found = take(/\\([pP])(?:\{([^}]*)\}|([A-Za-z]))/y))) {
      text += property(found[1] ?? '', found[2] ?? found[3] ?? '')
      unicode = true
    } else if ((found = take(/\\([A-Za-z])/y))) text += escaped(found[1] ?? '', inClass)
    else if ((found = take(/\\[^]/y))) text += found[0]
    else if (inClass) {
      if ((found = take(/\[:(\^?\w+):\]/y))) text += posix(found[1] ?? '')
      else {
        inClass = source[at] !== ']'
        text += source[at++] ?? ''
      }
    } else if ((found = take(/\[(\^?)(\]?)/y))) {
      inClass = true
      // A leading `]` is a literal character of the class.
      text += `[${found[1] ?? ''}${found[2] === ']' ? String.raw`\]` : ''}`
    } else if ((found = take(/\(\?P=(\w+)\)/y))) text += String.raw`\k<${found[1] ?? ''}>`
    else if (take(/\(\?P</y)) text += '(?<'
    else if (!take(/\(\?#[^)]*\)/y)) {
      const char = source[at++] ?? ''
      text += outside[char] ?? char
    }
  }
  return { text, unicode }
}

function escaped(letter: string, inClass: boolean): string {
  if (letter === 'E') return ''
  const known = (inClass ? IN_CLASS : OUTSIDE)[letter]
  if (known !== undefined) return known
  if ((inClass ? SHARED_IN_CLASS : SHARED_OUTSIDE).has(letter)) return `\\${letter}`
  throw refused(`\\${letter}`)
}

function posix(name: string): string {
  const known = POSIX[name]
  if (known === undefined) throw refused(`[:${name}:]`)
  return known
}
