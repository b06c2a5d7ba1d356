import { apiBasePath, type ErrorCode } from '@batti/contracts'
import type { Request } from 'express'
import { escapeHtml } from '../../escape-html.ts'

/** Returns whether a person opens an address of a page or file in a browser. Calls of the api are answered as JSON. */
export const isReadByPerson = (req: Request): boolean =>
  !req.originalUrl.startsWith(`${apiBasePath}/`) && req.accepts(['json', 'html']) === 'html'

const tryAgain = '<a href="">Try again</a>'
const startPage = '<a href="/">Go to the start page</a>'
/** An expired link, or an address of nothing: it is refused each time. A block can end, and a busy server recovers. */
const isFinal = (code: ErrorCode): boolean => code === 'FORBIDDEN' || code === 'NOT_FOUND'

/** Renders what is wrong for the person who opened the address, and a link to go on by. */
export const faultPage = (code: ErrorCode, message: string, requestId: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(message)}</title>
<style>body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif } h1 { font-size: 1.25rem }</style>
</head>
<body>
<main>
<h1>${escapeHtml(message)}</h1>
<p>${isFinal(code) ? startPage : tryAgain}</p>
<p><small>${escapeHtml(requestId)}</small></p>
</main>
</body>
</html>
`
