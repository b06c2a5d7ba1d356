/** A single digit occurs in every second MAC. */
const shortest = 2

/** Returns the hex digits of a text that may be part of a MAC, without separators; '' where it is none. */
export function macSignsOf(text: string): string {
  const signs = text.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return signs.length >= shortest && /^[0-9a-f]+$/i.test(signs) ? signs : ''
}

/** Matches these digits in a MAC written with colons. */
export const macPattern = (signs: string): RegExp => new RegExp(signs.split('').join(':?'), 'i')
