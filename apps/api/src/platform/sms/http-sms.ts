import type { SmsSender } from './sms.ts'

const timeoutMs = 8000
/** What is filled in: whom it is for, also without the plus, and what it says. */
export const smsPlaces = /\{(to|number|text)\}/g

/**
 * Text messages by any gateway that takes one HTTP request a message.
 * `url` may hold `{to}`, `{number}` (without the plus) and `{text}`, which are put in encoded: then it is a GET.
 * With `template`, a JSON text with the same places, it is a POST of that template.
 */
export function createHttpSms(options: { url: string; template?: string | undefined }): SmsSender {
  const { url, template } = options
  return {
    async send({ to, text }) {
      const values = { to, number: to.replace(/^\+/, ''), text }
      const address = fill(url, values, encodeURIComponent)
      const response = await fetch(address, {
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
        ...(template === undefined
          ? {}
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: fill(template, values, (value) => JSON.stringify(value).slice(1, -1))
            })
      })
      await response.body?.cancel()
      // The address may hold a key and the message holds a code: neither stands in the error.
      if (!response.ok) throw new Error(`The text message gateway answered ${response.status}.`)
    }
  }
}

function fill(pattern: string, values: Record<'to' | 'number' | 'text', string>, encode: (value: string) => string) {
  return pattern.replaceAll(smsPlaces, (place, name: string) =>
    name === 'to' || name === 'number' || name === 'text' ? encode(values[name]) : place
  )
}
