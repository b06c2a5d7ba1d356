/** A couch, and a character that no font has: if both look the same, the couch is drawn as an empty box. */
const couch = '\u{1F6CB}'
const nothing = '\u{10FFFE}'

/** Returns whether this machine has an emoji font. */
export function showsEmoji(page: Document): boolean {
  return draws(page, couch) !== draws(page, nothing)
}

function draws(page: Document, text: string): string | null {
  const canvas = page.createElement('canvas')
  canvas.width = 24
  canvas.height = 24
  const context = canvas.getContext('2d')
  // Without a canvas this cannot be known; emoji are assumed.
  if (context === null) return text
  context.font = '20px sans-serif'
  context.textBaseline = 'top'
  context.fillText(text, 0, 0)
  return canvas.toDataURL()
}
