/** A step of the hash that a text is looked up by: FNV-1a over its bytes. */
export const mixByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/**
 * Makes strings of short ASCII texts. One that was met before comes from a table of `slots` (a power of two) entries,
 * which saves the native call that makes a string and, for a property's name, V8's search for its interned twin.
 * The table never grows, whatever clients send: a text displaces the one in its slot.
 */
export function createShortTexts(slots: number, maxLength: number) {
  const kept: (string | undefined)[] = Array.from({ length: slots }, () => undefined)
  /** The text of `bytes` from `start` to `end`, which is ASCII; `hash` is `mixByte` over its bytes, begun with 0. */
  return (bytes: Buffer, start: number, end: number, hash: number): string => {
    if (end - start > maxLength) return bytes.toString('latin1', start, end)
    const slot = (hash ^ (hash >>> 15)) & (slots - 1)
    const text = kept[slot]
    if (text !== undefined && isText(text, bytes, start, end)) return text
    return (kept[slot] = bytes.toString('latin1', start, end))
  }
}

/** The hash only finds the slot. Every byte is compared: texts that collide cost time, and are never taken for one another. */
function isText(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false
  return true
}
