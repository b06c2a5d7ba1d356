import { latinDigits } from '@batti/contracts'

/** Normalizes a text for a search: its case, its digits (१२ like 12, m² like m2) and minus signs. */
export const searchable = (text: string): string =>
  latinDigits(text.normalize('NFKC')).replaceAll('−', '-').toLowerCase()

/** Returns a test for names that contain the typed text, in any case and digits, and without the blanks around it. */
export function containsTyped(typed: string): (name: string | undefined) => boolean {
  const wanted = searchable(typed).trim()
  return (name) => name !== undefined && searchable(name).includes(wanted)
}
