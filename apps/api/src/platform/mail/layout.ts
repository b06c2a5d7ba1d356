import type { Brand } from '@batti/contracts/brand'
import { escapeHtml } from '../escape-html.ts'
import type { Mail } from './mail.ts'

/** The content of a mail, before layout. */
export interface MailContent {
  subject: string
  greeting: string
  paragraphs: readonly string[]
  /** Six digits, shown large and easy to copy. */
  code?: string
  link?: { label: string; url: string; hint: string }
  /** What to do if the reader did not request it, and until when the code is valid. */
  small: readonly string[]
  footer: string
}

/** Lays a mail out in the brand: HTML that works without images and style sheets, in light and dark mode, and plain text. */
export function layOut(content: MailContent, options: { brand: Brand; language: string }): Omit<Mail, 'to'> {
  const { subject } = content
  return { subject, text: plainText(content, options.brand), html: html(content, options) }
}

function plainText({ greeting, paragraphs, code, link, small, footer }: MailContent, brand: Brand): string {
  const parts = [
    greeting,
    ...paragraphs,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(link === undefined ? [] : [`${link.hint}\n${link.url}`]),
    ...small,
    `-- \n${brand.name} · ${brand.company}\n${brand.contact.address}\n${brand.contact.email} · ${brand.contact.phone}\n${footer}`
  ]
  return `${parts.join('\n\n')}\n`
}

const font = "font-family:Inter,-apple-system,'Segoe UI',Roboto,'Noto Sans Devanagari',sans-serif"

function html(content: MailContent, { brand, language }: { brand: Brand; language: string }): string {
  const { accent, lamp } = brand.mailColours
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px;font-size:16px;line-height:1.6">${escapeHtml(text)}</p>`
  const code =
    content.code === undefined
      ? ''
      : `<p class="code" style="margin:8px 0 24px;padding:16px;border-radius:12px;background:#f2f1ee;text-align:center;font-size:32px;font-weight:600;letter-spacing:8px;font-variant-numeric:tabular-nums">${escapeHtml(content.code)}</p>`
  const link =
    content.link === undefined
      ? ''
      : `<p style="margin:0 0 8px;font-size:16px;line-height:1.6">${escapeHtml(content.link.hint)}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(content.link.url)}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:${accent};color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(content.link.label)}</a></p>`
  const small = content.small
    .map(
      (text) =>
        `<p class="muted" style="margin:0 0 8px;font-size:14px;line-height:1.6;color:#5d5f6b">${escapeHtml(text)}</p>`
    )
    .join('')
  const { contact } = brand
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #16181f !important; color: #eceae6 !important }
  .card { background: #1f222c !important; border-color: #343a4a !important }
  .code { background: #2a2e3b !important }
  .muted { color: #a8abb8 !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#faf9f6;color:#22242c;${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td style="padding:0 8px 16px;font-size:20px;font-weight:600"><span style="display:inline-block;width:12px;height:12px;margin-right:8px;border-radius:6px;background:${lamp}"></span>${escapeHtml(brand.name)}</td></tr>
<tr><td class="card" style="padding:28px 24px;border:1px solid #e4e2dd;border-radius:20px;background:#ffffff">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.4">${escapeHtml(content.greeting)}</h1>
${content.paragraphs.map(paragraph).join('\n')}
${code}
${link}
${small}
</td></tr>
<tr><td class="muted" style="padding:16px 8px;font-size:12px;line-height:1.6;color:#5d5f6b">${escapeHtml(brand.company)}, ${escapeHtml(contact.address)}<br>${escapeHtml(contact.email)} · ${escapeHtml(contact.phone)}<br>${escapeHtml(content.footer)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}
