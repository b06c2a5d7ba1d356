/**
 * Refused characters: a line break in a name would reach mail headers and logs, and other control characters the terminal that
 * shows a log; a direction mark reverses the rest of a sentence, and a lone surrogate is stored as another character.
 */
const controlCharacter = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/u
const all = new RegExp(controlCharacter.source, 'gu')

export const hasControlCharacters = (text: string): boolean => controlCharacter.test(text)
export const withoutControlCharacters = (text: string): string => text.replaceAll(all, '')
