/** A couch, and a character that no font has: drawn alike, the couch is an empty box. */
const couch = '\u{1F6CB}'
const nothing = '\u{10FFFE}'

/** Whether this machine has a font with emoji. */
export function showsEmoji(page: Document): boolean {
  return draws(page, couch) !== draws(page, nothing)
}

function draws(page: Document, text: string): string | null {
  const canvas = page.createElement('canvas')
  canvas.width = 24
  canvas.height = 24
  const context = canvas.getContext('2d')
  // Where there is no canvas nothing can be known: the emoji is the rule.
  if (context === null) return text
  context.font = '20px sans-serif'
  context.textBaseline = 'top'
  context.fillText(text, 0, 0)
  return canvas.toDataURL()
}
