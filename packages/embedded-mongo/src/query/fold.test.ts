import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFold } from './fold.ts'

const sensitivityOf = { 1: 'base', 2: 'accent', 3: 'variant' } as const
const collatorOf = (locale: string, strength: 1 | 2 | 3): Intl.Collator =>
  new Intl.Collator(locale, { sensitivity: sensitivityOf[strength] })

/** Letters of several scripts, with others that some collation holds equal to them. */
const letters = [
  'a A e E i I İ ı s ss ß y ae æ é e\u0301 ñ ü Å đ ﬁ Ａ 0 1 ० १ ½ - \' ’ " “ \u200c \u200d \u00ad'.split(' '),
  'क ख ा ि ी ो क् ं ँ ड ड़ ज्ञ и й и\u0306 е ё Е か が カ 한 中'.split(' '),
  [' ']
].flat()

describe('folded texts', () => {
  it.each(
    ['en', 'ne', 'de', 'tr', 'ru', 'lt'].flatMap((locale) => ([1, 2, 3] as const).map((s) => [locale, s] as const))
  )('are the same where the collation %s of strength %i holds them equal, and only there', (locale, strength) => {
    const [collator, fold] = [collatorOf(locale, strength), createFold(collatorOf(locale, strength), strength)]
    const text = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(text, { minLength: 30, maxLength: 30 }), (texts) => {
        for (const a of texts) {
          for (const b of texts) expect([a, b, fold(a) === fold(b)]).toEqual([a, b, collator.compare(a, b) === 0])
        }
      }),
      { numRuns: 20 }
    )
  })
})
