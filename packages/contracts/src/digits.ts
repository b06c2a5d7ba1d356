/**
 * Digits as 0 to 9, whichever keyboard they come from: in Nepal people type ९८१२ as readily as 9812. Dashes of all lengths
 * are one, and what is not seen is left out: numbers that are copied from a list of contacts stand in marks of direction.
 */
export const latinDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - '०'.charCodeAt(0)))
