/** Digits as 0 to 9, whichever keyboard they come from: in Nepal people type ९८१२ as readily as 9812. */
export const latinDigits = (text: string): string =>
  text.normalize('NFKC').replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - '०'.charCodeAt(0)))
