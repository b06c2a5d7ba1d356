import type { Fold } from '../bson/key.ts'

/** After this many different letters, all are computed again: they are few in any language. */
const REMEMBERED = 10_000

/** A character with the marks behind it (accents, vowel signs). */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gsu
/** Characters that may not count at all. Marks depend on the letter before them. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu

const characters = (from: string, to: string): string[] => {
  const first = from.charCodeAt(0)
  return Array.from({ length: to.charCodeAt(0) - first + 1 }, (_, i) => String.fromCharCode(first + i))
}
const letters = characters('a', 'z')
const plain = [...letters, ...characters(' ', '`'), ...characters('{', '~')]
const pairs = letters.flatMap((first) => letters.map((second) => first + second))
/** Katakana in Hiragana. */
const inHiragana = (text: string): string =>
  text.replaceAll(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))

/**
 * Returns a function with equal results for the texts that a collation holds equal, in place of ICU's sort keys, which
 * JavaScript does not have. It asks the collator about each letter once: which of its marks matter, and which plainer letter
 * is equal to it (the small one, the digit of another script).
 */
export function createFold(collator: Intl.Collator, strength: 1 | 2 | 3): Fold {
  const known = new Map<string, string>()
  const isSame = (a: string, b: string): boolean => collator.compare(a, b) === 0

  function once(text: string, compute: (text: string) => string): string {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= REMEMBERED) known.clear()
    const folded = compute(text)
    known.set(text, folded)
    return folded
  }

  function foldCluster(cluster: string): string {
    if (isSame(cluster, '')) return ''
    const [first = '', ...others] = Array.from(cluster)
    const [base, marks] = /\p{M}/u.test(first) ? ['', [first, ...others]] : [first, others]
    const kept = marks.reduce((sum, mark) => (isSame(sum + mark, sum) ? sum : sum + mark), base)
    // Dropping a mark, or what stood between two, can change their canonical order.
    let [whole, folded] = ['', '']
    for (const part of kept.normalize('NFD')) {
      whole += part
      folded = plainest(isSame(folded + part, whole) ? folded + part : whole)
    }
    return folded
  }

  function plainest(text: string): string {
    const isLatin = /^\p{Script=Latin}/u.test(text)
    const small = text.toLowerCase()
    const candidates = [...plain, ...(isLatin ? pairs : []), inHiragana(small), small]
    return candidates.find((candidate) => isSame(candidate, text)) ?? text
  }

  return (text) =>
    text
      .normalize(strength === 3 ? 'NFD' : 'NFKD')
      .replaceAll(INVISIBLE, (char) => once(char, foldCluster))
      .replaceAll(CLUSTER, (cluster) => once(cluster, foldCluster))
}
