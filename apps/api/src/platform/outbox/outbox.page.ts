import type { OutboxMessage } from '@batti/contracts'
import { escapeHtml } from '../escape-html.ts'

/** Returns the code in a message, if any: six digits on their own. */
const codeOf = (text: string): string | undefined => /(?<![\d+])\d{6}(?!\d)/.exec(text)?.[0]
const linkOf = (text: string): string | undefined => /https?:\/\/\S+/.exec(text)?.[0]

/** Renders the outbox for people: receiver, text, and the code within easy reach. */
export function outboxPage(messages: readonly OutboxMessage[], to: string, brand: string): string {
  const shown = messages.slice(0, 100).map(card).join('\n')
  const empty = `<p class="empty">${to === '' ? 'Nothing was sent yet. Sign up, and your code appears here.' : `Nothing was sent to ${escapeHtml(to)} yet.`}</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Outbox · ${escapeHtml(brand)}</title>
<link rel="stylesheet" href="/dev/outbox/outbox.css">
<script src="/dev/outbox/outbox.js" defer></script>
</head>
<body>
<header>
<h1>Outbox</h1>
<p>This is a demo: mails and text messages stay on this machine and are shown here.</p>
<form method="get" action="/dev/outbox" role="search">
<label for="to">To</label>
<input id="to" name="to" type="search" value="${escapeHtml(to)}" placeholder="Email or phone" autocomplete="off" autocapitalize="none">
<button type="submit">Show</button>
</form>
</header>
<main aria-live="polite">
${messages.length === 0 ? empty : shown}
</main>
</body>
</html>
`
}

function card({ id, kind, to, subject, text, html, at }: OutboxMessage): string {
  const code = codeOf(text)
  const link = linkOf(text)
  const time = new Date(at).toISOString()
  return `<article id="m-${id}">
<p class="meta"><span class="kind">${kind === 'mail' ? 'Email' : 'Text message'}</span> to <a href="/dev/outbox?to=${encodeURIComponent(to)}">${escapeHtml(to)}</a> <time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time></p>
${subject === '' ? '' : `<h2>${escapeHtml(subject)}</h2>`}
${code === undefined ? '' : `<p class="code"><strong>${code}</strong> <button type="button" data-copy="${code}" aria-label="Copy the code ${code}">Copy</button></p>`}
<p class="actions">${link === undefined ? '' : `<a href="${escapeHtml(link)}">Open the link</a>`}${html === undefined ? '' : `<a href="/dev/outbox/${id}">Show the mail</a>`}</p>
<details><summary>Text</summary><pre>${escapeHtml(text)}</pre></details>
</article>`
}
