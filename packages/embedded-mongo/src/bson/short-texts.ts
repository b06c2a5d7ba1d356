/** One step of the hash for the lookup of a text: FNV-1a over its bytes. */
export const mixByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/**
 * Returns a function that makes strings from short ASCII texts. A known text comes from a table of `slots` (a power of two)
 * entries, which saves the native call that makes a string and, for property names, V8's lookup of the interned string.
 * The table never grows, whatever clients send: a text replaces the one in its slot.
 */
export function createShortTexts(slots: number, maxLength: number) {
  const kept: (string | undefined)[] = Array.from({ length: slots }, () => undefined)
  /** Returns the ASCII text of `bytes` from `start` to `end`. `hash` is `mixByte` over its bytes, starting with 0. */
  return (bytes: Buffer, start: number, end: number, hash: number): string => {
    if (end - start > maxLength) return bytes.toString('latin1', start, end)
    const slot = (hash ^ (hash >>> 15)) & (slots - 1)
    const text = kept[slot]
    if (text !== undefined && isText(text, bytes, start, end)) return text
    return (kept[slot] = bytes.toString('latin1', start, end))
  }
}

/** Compares every byte, because the hash only finds the slot. Collisions cost time, but never give a wrong text. */
function isText(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false
  return true
}
