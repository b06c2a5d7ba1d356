import { badValue, unsupported } from '../errors.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { compareText, type TextOrder } from '../bson/compare.ts'
import { toNumber } from '../bson/numbers.ts'
import type { Fold } from '../bson/key.ts'
import { createFold } from './fold.ts'

/** The text comparison of a query. `null` means MongoDB's simple binary comparison. */
export interface Collation {
  locale: string
  strength: 1 | 2 | 3
  numericOrdering: boolean
  /** Orders two strings. */
  order: TextOrder
  /** Two strings are equal under the collation if their folds are. Null if no such text exists. */
  fold: Fold | null
  /** The specification for `listIndexes` and `explain`. */
  spec: Document
}

const sensitivityOf = { 1: 'base', 2: 'accent', 3: 'variant' } as const

/** ICU's names of variants of a locale's order, and those of JavaScript. */
const variants: Readonly<Record<string, string>> = {
  phonebook: 'phonebk',
  traditional: 'trad',
  dictionary: 'dict',
  gb2312han: 'gb2312'
}

const known = new Set([
  'locale',
  'strength',
  'caseLevel',
  'caseFirst',
  'numericOrdering',
  'alternate',
  'maxVariable',
  'normalization',
  'backwards',
  'version'
])

/** Reads a command's `collation`; null for none and for `{ locale: 'simple' }`. */
export function parseCollation(value: unknown): Collation | null {
  if (value === undefined || value === null) return null
  if (!isDocument(value)) throw badValue('collation must be an object')
  if (Object.keys(value).length === 0) return null
  for (const field of Object.keys(value)) {
    if (!known.has(field)) throw badValue(`Field '${field}' is invalid in: collation`)
  }
  const { locale } = value
  if (typeof locale !== 'string') throw badValue("Field 'locale' is missing in: collation")
  if (locale === 'simple') return null
  const strength = value['strength'] === undefined ? 3 : toNumber(value['strength'])
  if (![1, 2, 3, 4, 5].includes(strength)) {
    throw badValue(`Enumeration value '${strength}' for field 'strength' is not a valid value.`)
  }
  if (strength > 3) throw unsupported(`collation strength ${strength}`)
  if (value['alternate'] === 'shifted') throw unsupported("collation alternate 'shifted'")
  if (value['backwards'] === true) throw unsupported('collation backwards')
  if (value['caseLevel'] === true) throw unsupported('collation caseLevel')
  const caseFirst = value['caseFirst']
  if (caseFirst !== undefined && caseFirst !== 'off') throw unsupported('collation caseFirst')
  return makeCollation(locale, strength as 1 | 2 | 3, value['numericOrdering'] === true)
}

/** Returns the collation of a command, by default that of its collection. */
export function collationOf(asked: unknown, collection: { options: Document } | null): Collation | null {
  const saysNothing = asked === null || (isDocument(asked) && Object.keys(asked).length === 0)
  return parseCollation(saysNothing || asked === undefined ? collection?.options['collation'] : asked)
}

function makeCollation(locale: string, strength: 1 | 2 | 3, numericOrdering: boolean): Collation {
  const collator = collatorOf(locale, strength, numericOrdering)
  return {
    locale,
    strength,
    numericOrdering,
    order: (a, b) => collator.compare(a, b),
    fold: numericOrdering ? null : createFold(collator, strength),
    spec: {
      locale,
      caseLevel: false,
      caseFirst: 'off',
      strength,
      numericOrdering,
      alternate: 'non-ignorable',
      maxVariable: 'punct',
      normalization: false,
      backwards: false,
      version: '57.1'
    }
  }
}

function collatorOf(locale: string, strength: 1 | 2 | 3, numeric: boolean): Intl.Collator {
  try {
    const [name = '', variant] = locale.replaceAll('_', '-').split('@collation=')
    if (Intl.Collator.supportedLocalesOf(name).length === 0) throw new RangeError(name)
    const wanted = variant === undefined ? undefined : (variants[variant] ?? variant)
    const tag = wanted === undefined ? name : `${name}-u-co-${wanted}`
    const collator = new Intl.Collator(tag, { sensitivity: sensitivityOf[strength], numeric })
    if (wanted !== undefined && collator.resolvedOptions().collation !== wanted) throw new RangeError(tag)
    return collator
  } catch {
    throw badValue(`Field 'locale' is invalid in: { locale: "${locale}" }`)
  }
}

export const textOrder = (collation: Collation | null): TextOrder => collation?.order ?? compareText

/** Tells whether both compare text alike, so that an index with one can be used for queries with the other. */
export const sameCollation = (a: Collation | null, b: Collation | null): boolean =>
  a === null || b === null
    ? a === b
    : a.locale === b.locale && a.strength === b.strength && a.numericOrdering === b.numericOrdering
