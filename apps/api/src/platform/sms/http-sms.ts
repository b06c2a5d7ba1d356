import { ReceiverRefused } from '../mail/receiver-refused.ts'
import type { SmsSender } from './sms.ts'

const timeoutMs = 8000

/** The gateway could not use the number. Without a valid key it answers 401 or 403, and 402 or 429 beyond what was paid for. */
const isOfReceiver = (status: number): boolean => status === 400 || status === 422

/** Placeholders: the receiver, the receiver without the plus, and the text. */
export const smsPlaces = /\{(to|number|text)\}/g

/**
 * Sends text messages through any gateway that takes one HTTP request per message.
 * `url` may contain `{to}`, `{number}` (without the plus) and `{text}`, filled in URL-encoded: the request is then a GET.
 * With `template`, a JSON text with the same placeholders, it is a POST of that template.
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
      // The address may contain a key and the message a code, so the error includes neither.
      if (response.ok) return
      const reason = `The text message gateway answered ${response.status}.`
      throw isOfReceiver(response.status) ? new ReceiverRefused(reason) : new Error(reason)
    }
  }
}

function fill(pattern: string, values: Record<'to' | 'number' | 'text', string>, encode: (value: string) => string) {
  return pattern.replaceAll(smsPlaces, (place, name: string) =>
    name === 'to' || name === 'number' || name === 'text' ? encode(values[name]) : place
  )
}
