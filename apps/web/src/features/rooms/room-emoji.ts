const fallback = '🛋️'

// In order: the first word found in the name decides. The Nepali words have the same meaning.
const rules: readonly [emoji: string, words: readonly string[]][] = [
  ['🛋️', ['living', 'बैठक']],
  ['🛏️', ['bed', 'सुत्ने']],
  ['🍳', ['kitchen', 'भान्सा']],
  ['🛁', ['bath', 'toilet', 'बाथ', 'शौचालय', 'नुहाउने']],
  ['🚗', ['garage', 'ग्यारेज']],
  ['🌳', ['garden', 'बगैंचा', 'बगैँचा']],
  ['🧸', ['kids', 'child', 'बच्चा', 'केटाकेटी']],
  ['📚', ['study', 'पढ्ने']],
  ['🏋️', ['gym', 'जिम', 'व्यायाम']],
  ['🧺', ['laundry', 'लुगा धुने']],
  ['🍽️', ['dining', 'खाने']],
  ['🌇', ['balcony', 'बार्दली', 'बरन्डा']],
  ['💼', ['office', 'अफिस', 'कार्यालय']]
]

/** Returns the emoji for a keyword in the room's name; a sofa if none matches. */
export function roomEmoji(roomName: string): string {
  const name = roomName.toLowerCase()
  return rules.find(([, words]) => words.some((word) => name.includes(word)))?.[0] ?? fallback
}
