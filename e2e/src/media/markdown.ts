/** The subset of Markdown in the user guide: headings, paragraphs, two kinds of lists, tables, **bold**. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const inline = (text: string) => escaped(text).replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')

const cellsOf = (row: string, tag: 'th' | 'td') =>
  row
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
    .join('')

function table([head = '', , ...rows]: readonly string[]): string {
  const body = rows.map((row) => `<tr>${cellsOf(row, 'td')}</tr>`).join('')
  return `<table><thead><tr>${cellsOf(head, 'th')}</tr></thead><tbody>${body}</tbody></table>`
}

const list = (tag: 'ul' | 'ol', lines: readonly string[], mark: RegExp) =>
  `<${tag}>${lines.map((line) => `<li>${inline(line.replace(mark, ''))}</li>`).join('')}</${tag}>`

function block(text: string): string {
  const lines = text.split('\n')
  const heading = /^(#{1,3}) (.+)$/.exec(text)
  if (heading?.[1] !== undefined && heading[2] !== undefined) {
    const tag = `h${heading[1].length}`
    return `<${tag}>${inline(heading[2])}</${tag}>`
  }
  if (lines.every((line) => line.startsWith('|'))) return table(lines)
  if (lines.every((line) => line.startsWith('- '))) return list('ul', lines, /^- /)
  if (lines.every((line) => /^\d+\. /.test(line))) return list('ol', lines, /^\d+\. /)
  return `<p>${inline(lines.join(' '))}</p>`
}

/** Converts Markdown to HTML; blocks are separated by empty lines. */
export function htmlOf(markdown: string): string {
  return markdown
    .trim()
    .split(/\n{2,}/)
    .map((text) => block(text.trim()))
    .join('\n')
}
