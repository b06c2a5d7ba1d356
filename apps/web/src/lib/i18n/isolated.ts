const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * Isolates a name in a script that is written from right to left (Arabic, Hebrew): otherwise the numbers and dots
 * beside it would change places. Other text is returned unchanged.
 */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

/** Joins the parts of a line that are not empty. */
export const dotted = (...parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .map(isolated)
    .join(' · ')
