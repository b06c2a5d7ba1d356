import { apiBasePath, errorStatus, type ErrorCode } from '@batti/contracts'
import type { Request } from 'express'
import { escapeHtml } from '../../escape-html.ts'

/** In any case of letters, as the router reads it. */
const call = new RegExp(`^${apiBasePath}(?:[/?]|$)`, 'i')

/** Returns whether a person opens an address of a page or file in a browser. Calls of the api are answered as JSON. */
export const isReadByPerson = (req: Request): boolean =>
  !call.test(req.originalUrl) && req.accepts(['json', 'html']) === 'html'

const tryAgain = '<a href="">Try again</a>'
const startPage = '<a href="/">Go to the start page</a>'
/** A block can end, and a busy server recovers. Anything else is refused each time, as an expired link is. */
const mayPass = (code: ErrorCode): boolean =>
  code === 'IP_BLOCKED' || errorStatus[code] === 429 || errorStatus[code] >= 500

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
<p>${mayPass(code) ? tryAgain : startPage}</p>
<p><small>${escapeHtml(requestId)}</small></p>
</main>
</body>
</html>
`
