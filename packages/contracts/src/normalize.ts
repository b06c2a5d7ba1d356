/** More than any field accepts. */
const normalizedMax = 5000

/**
 * Like `text.normalize`, which takes quadratic time on a long run of accents: seconds for a request of 200 KB. Longer texts stay
 * as they are, for a length check to refuse.
 */
export const normalize = (text: string, form: 'NFC' | 'NFKC'): string =>
  text.length > normalizedMax ? text : text.normalize(form)
