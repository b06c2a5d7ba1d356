/**
 * Refused characters: a line break in a name would reach mail headers and logs, a direction mark reverses the rest of a
 * sentence, and a lone surrogate is stored as another character.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacter = /[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/u
const all = new RegExp(controlCharacter.source, 'gu')

export const hasControlCharacters = (text: string): boolean => controlCharacter.test(text)
export const withoutControlCharacters = (text: string): string => text.replaceAll(all, '')
