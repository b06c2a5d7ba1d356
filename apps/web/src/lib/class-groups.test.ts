import { extendTailwindMerge } from 'tailwind-merge'
import { expect, test } from 'vitest'
import { mergeClasses } from './class-groups.ts'

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true
})

/** With the complete table of utilities, and our own scales of styles/index.css. */
const mergeByLibrary = extendTailwindMerge({
  extend: {
    theme: { text: ['12', '14', '16', '20', '28', '40'], radius: ['card', 'control'], shadow: ['card', 'float'] }
  }
})

const isUtility = (word: string): boolean => mergeByLibrary(`${word} ${word}`) === word

/** Variants such as `hover:` are handled by the library. */
const withoutVariants = (word: string): string => /[^:]*(?:[[(].*)?$/.exec(word)?.[0] ?? word

/** Each utility in the strings of our components, including words of texts that look like one. */
function utilities(): string[] {
  const words = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].flatMap((found) =>
      (found[1] ?? found[2] ?? found[3] ?? '').split(/\s+/)
    )
  )
  return [...new Set(words.map(withoutVariants))].filter((word) => word !== '' && isUtility(word))
}

test('any two classes of our components are merged as with the table of all utilities', () => {
  const classes = utilities()
  expect(classes.length).toBeGreaterThan(500)
  // One of each kind suffices: what overrides it overrides all of them.
  const kinds: string[] = []
  for (const one of classes)
    if (!kinds.some((kind) => mergeByLibrary(`${kind} ${one}`) === one && mergeByLibrary(`${one} ${kind}`) === kind))
      kinds.push(one)
  const differences = classes.flatMap((one) =>
    kinds
      .filter((kind) => kind !== one)
      .map((kind) => `${one} ${kind}`)
      .filter((pair) => mergeClasses(pair) !== mergeByLibrary(pair))
  )
  expect(differences).toEqual([])
})
