import { normalize } from './normalize.ts'

/**
 * Normalizes digits to 0 to 9: people in Nepal type ९८१२ as readily as 9812. All kinds of dash become `-`, and invisible
 * characters are removed, because numbers copied from a contact list carry direction marks. `²` and `½` stay as they are: 3²
 * is not 32.
 */
export const latinDigits = (text: string): string =>
  text
    .replace(/\P{No}+/gu, (part) => normalize(part, 'NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - '०'.charCodeAt(0)))
