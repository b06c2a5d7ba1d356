/** One alone is in every second MAC. */
const shortest = 2

/** The signs of a MAC in a text, with any separators between them; '' where it is no part of one. */
export function macSignsOf(text: string): string {
  const signs = text.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return signs.length >= shortest && /^[0-9a-f]+$/i.test(signs) ? signs : ''
}

/** Finds these signs in a MAC as it is written. */
export const macPattern = (signs: string): RegExp => new RegExp(signs.split('').join(':?'), 'i')
