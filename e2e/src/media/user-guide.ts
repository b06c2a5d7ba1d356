import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBrowser } from '../open-browser.ts'
import { htmlOf } from './markdown.ts'

const root = join(import.meta.dirname, '../../..')
const source = join(root, 'docs/user-guide/user-guide.md')
export const guideFile = join(root, 'apps/web/public/docs/user-guide.pdf')

/** Embeds the app's font in the page, so that the PDF does not depend on installed fonts. */
async function typeface(): Promise<string> {
  const font = await readFile(join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))
  return `<style>@font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font.toString('base64')}) }</style>`
}

const style = `
  @page { size: A4; margin: 18mm 17mm }
  body { font: 10.5pt/1.55 'Inter', 'DejaVu Sans', sans-serif; color: #23262e }
  h1 { font-size: 26pt; margin: 0 0 3mm; letter-spacing: -0.02em }
  h1 + p { font-size: 13pt; color: #565b68; margin: 0 0 8mm }
  h2 { font-size: 14pt; margin: 8mm 0 2mm; break-after: avoid }
  p, ul, ol, table { margin: 0 0 3mm }
  ul, ol { padding-left: 6mm }
  li { margin-bottom: 1.4mm; break-inside: avoid }
  table { width: 100%; border-collapse: collapse }
  th, td { text-align: left; vertical-align: top; padding: 1.8mm 3mm 1.8mm 0; border-bottom: 0.3mm solid #dcdde2 }
  tr { break-inside: avoid }
`
const pageOf = (markdown: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>User guide</title><style>${style}</style></head><body>${htmlOf(markdown)}</body></html>`

/** Returns a hash of the guide's source. It is stored as a comment after the end of the PDF, which readers ignore. */
const stampOf = (page: string) => `%guide-source ${createHash('sha256').update(page).digest('hex')}`

/** Returns the stamp of the current source, and that of the built file. */
export async function guideStamps(): Promise<{ wanted: string; built: string | null }> {
  const wanted = stampOf(pageOf(await readFile(source, 'utf8')))
  const pdf = await readFile(guideFile, 'latin1')
  return { wanted, built: /%guide-source [0-9a-f]{64}/.exec(pdf)?.[0] ?? null }
}

/** Prints docs/user-guide into the web app's public files. */
export async function buildUserGuide(): Promise<void> {
  const html = pageOf(await readFile(source, 'utf8'))
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.setContent(html.replace('<style>', `${await typeface()}<style>`))
    await page.evaluate('document.fonts.ready')
    const pdf = await page.pdf({ preferCSSPageSize: true, tagged: true, outline: true })
    await writeFile(guideFile, Buffer.concat([pdf, Buffer.from(`\n${stampOf(html)}\n`)]))
  } finally {
    await browser.close()
  }
}
